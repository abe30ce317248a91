import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { readText } from "./encoding.ts";
import { encodingNamed, encodingWords } from "./encoding-names.ts";

const japanese = "# ファイルの大きさを確認する\nsize = 1  # 接続を開いて後で閉じる\n";
const russian = "# Проверяет размер файла перед записью\nsize = 1  # Ошибка при чтении данных\n";
const german =
  "# Die Größe der Datei überschreitet das zulässige Maß\n# Öffnet die Verbindung und schließt sie später\n";

async function read(text: string, encoding: string, setting?: string) {
  return readText(iconv.encode(text, encoding), async () => setting);
}

test.each([
  [japanese, "shift_jis"],
  [japanese, "euc-jp"],
  ["# 检查文件的大小，打开连接并稍后关闭\n# 没有找到用户\n", "gbk"],
  ["# 檢查檔案的大小，開啟連線並稍後關閉\n# 沒有找到使用者\n", "big5"],
  ["# 파일의 크기를 확인한다\n# 연결을 열고 나중에 닫는다\n", "euc-kr"],
  [russian, "windows-1251"],
  [russian, "koi8-r"],
  [german, "iso-8859-1"],
  [`${german}# “quoted”\n`, "windows-1252"],
])("%# is read by its content as %s", async (text, name) => {
  const decoded = await read(text, name);
  expect(decoded).toMatchObject({ text, encoding: { name, by: "content" } });
});

test("a mark decides, and is no part of the text", async () => {
  const mark = Buffer.from("\ufeff");
  expect(await readText(Buffer.concat([mark, Buffer.from("é\n")]))).toMatchObject({
    text: "é\n",
    encoding: { name: "utf-8", marked: true },
  });
  for (const [name, bytes] of [
    ["utf-16le", Buffer.from("\ufeffé日\n", "utf16le")],
    ["utf-16be", Buffer.from("\ufeffé日\n", "utf16le").swap16()],
  ] as const)
    expect(await readText(bytes)).toMatchObject({
      text: "é日\n",
      encoding: { name, marked: true, by: "mark" },
    });
});

test.each([
  ["# -*- coding: koi8-r -*-\n", "koi8-r"],
  ["#!/usr/bin/env python\n# vim: set fileencoding=cp1251 :\n", "windows-1251"],
  ['<?xml version="1.0" encoding="windows-1251"?>\n', "windows-1251"],
  ['@charset "koi8-r";\n', "koi8-r"],
  ['<html><head><meta charset="koi8-r"></head>\n', "koi8-r"],
])("what a file declares decides: %s", async (head, name) => {
  const text = `${head}да\n`;
  expect(await read(text, name)).toMatchObject({ text, encoding: { name, by: "declaration", others: [] } });
});

test("settings of the project decide before the content, where they fit", async () => {
  expect(await read("да\n", "koi8-r", "koi8-r")).toMatchObject({
    text: "да\n",
    encoding: { by: "settings" },
  });
  expect((await read(japanese, "shift_jis", "euc-jp"))?.encoding).toMatchObject({
    name: "shift_jis",
    by: "content",
  });
  expect((await read("да\n", "utf-8", "koi8-r"))?.encoding).toMatchObject({ name: "utf-8", by: "bytes" });
});

test("a declaration of one byte a letter is doubted in a file that is UTF-8", async () => {
  const decoded = await read("# coding: latin-1\n# Größe\n", "utf-8");
  expect(decoded?.text).toContain("Größe");
  expect(decoded?.encoding).toMatchObject({ name: "utf-8", others: ["iso-8859-1"] });
});

test("what is not certain names the others", async () => {
  const decoded = await readText(Buffer.from("a = 'caf\xe9'\n", "latin1"));
  expect(decoded?.text).toBe("a = 'café'\n");
  expect(decoded && encodingWords(decoded.encoding)).toMatch(
    /^iso-8859-1, by its content, not certain: perhaps /,
  );
});

test("UTF-8 with a damaged byte stays UTF-8, and binary is no text", async () => {
  const damaged = Buffer.concat([Buffer.from(japanese), Buffer.from([0xff, 10])]);
  expect((await readText(damaged))?.encoding.name).toBe("utf-8");
  expect(await readText(Buffer.from([1, 2, 0, 3, 255, 254, 9]))).toBeUndefined();
  expect(await readText(Buffer.from([0x89, 1, 2, 3, 4, 5, 6, 0x99]))).toBeUndefined();
});

test("encodings have one name", () => {
  expect(["Latin-1", "SJIS", "cp1252", "GB2312", "EUC_KR", "utf8"].map(encodingNamed)).toEqual([
    "iso-8859-1",
    "shift_jis",
    "windows-1252",
    "gbk",
    "euc-kr",
    "utf-8",
  ]);
});
