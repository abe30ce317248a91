import iconv from "iconv-lite";
import { Failure } from "../../failure/failure.ts";
import { readText } from "../../text/encoding.ts";
import { editFile } from "../../workspace/text-edit.ts";

// Edits of generated files in many encodings, and what became of them: for the suite and for `npm run bench edits`.

const sentences = {
  western: [
    "Die Größe der Datei überschreitet das zulässige Maß",
    "Öffnet die Verbindung und schließt sie später wieder",
    "Vérifie que le fichier a été fermé, où qu'il soit",
    "Crée une nouvelle entrée à côté de la première",
    "La contraseña no es válida; añade el tamaño máximo",
    "Función que devuelve el último año según la opción",
  ],
  cyrillic: [
    "Проверяет размер файла перед записью",
    "Открывает соединение с сервером",
    "Возвращает количество строк в журнале",
    "Ошибка при чтении данных пользователя",
  ],
  japanese: [
    "ファイルの大きさを確認する",
    "接続を開いて後で閉じる",
    "ユーザーが見つかりません",
    "設定を保存して次の行を返す",
  ],
  simplified: ["检查文件的大小，然后保存", "打开连接并稍后关闭", "没有找到这个用户", "读取数据时发生错误"],
  traditional: ["檢查檔案的大小，然後儲存", "開啟連線並稍後關閉", "沒有找到這個使用者", "讀取資料時發生錯誤"],
  korean: [
    "파일의 크기를 확인한다",
    "연결을 열고 나중에 닫는다",
    "사용자를 찾을 수 없습니다",
    "설정을 저장합니다",
  ],
};

export const encodings: { name: string; mark: string; words: readonly string[] }[] = [
  { name: "utf-8", mark: "", words: Object.values(sentences).flat() },
  { name: "utf-8", mark: "efbbbf", words: Object.values(sentences).flat() },
  { name: "utf-16le", mark: "fffe", words: Object.values(sentences).flat() },
  { name: "utf-16be", mark: "feff", words: Object.values(sentences).flat() },
  { name: "iso-8859-1", mark: "", words: sentences.western },
  { name: "windows-1252", mark: "", words: sentences.western.map((words) => `“${words}”`) },
  { name: "shift_jis", mark: "", words: sentences.japanese },
  { name: "euc-jp", mark: "", words: sentences.japanese },
  { name: "gbk", mark: "", words: sentences.simplified },
  { name: "big5", mark: "", words: sentences.traditional },
  { name: "euc-kr", mark: "", words: sentences.korean },
  { name: "windows-1251", mark: "", words: sentences.cyrillic },
  { name: "koi8-r", mark: "", words: sentences.cyrillic },
];
export const endings = ["LF", "CRLF", "mixed"] as const;

export interface EncodedEdit {
  before: Buffer;
  /** What the file must be afterwards. */
  after: Buffer;
  oldText: string;
  newText: string;
}

export type Random = () => number;

/** The same numbers in every run. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 16807 + 11) % 2147483647;
    return state / 2147483647;
  };
}

export function encodedEdit(
  { name, mark, words }: (typeof encodings)[number],
  ending: (typeof endings)[number],
  random: Random,
): EncodedEdit {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const line = (at: number) =>
    pick([
      `    total += item.size * ${at}`,
      `    # ${pick(words)} (${at})`,
      `    log("${pick(words)}", ${at})`,
      `def run${at}(items, limit=10):`,
      "",
    ]);
  const lines = Array.from({ length: 6 + Math.floor(random() * 20) }, (_, at) => line(at));
  // Enough for the encoding to show, wherever the edit is.
  lines.unshift(...words.slice(0, 4).map((text) => `# ${text}`));
  const breaks = lines.map(() =>
    ending === "mixed" ? pick(["\n", "\r\n"]) : ending === "LF" ? "\n" : "\r\n",
  );
  // Blank lines alone would stand in several places.
  const wanted = Math.floor(random() * (lines.length - 3));
  const from = lines[wanted] === "" ? 0 : wanted;
  const count = 1 + Math.floor(random() * 3);
  const old = lines.slice(from, from + count);
  const next = [
    ...old.slice(0, -1),
    `    # ${pick(words)}: ${pick(words)} 1`,
    ...(random() < 0.5 ? [`    x = "${pick(words)}"`] : []),
  ];
  const nextBreaks = next.map((_, at) => breaks[from + Math.min(at, count - 1)] ?? "\n");
  const written = (some: readonly string[], their: readonly string[]) =>
    iconv.encode(some.map((text, at) => text + (their[at] ?? "")).join(""), name);
  // Bytes that are none of the encoding, on a line of their own.
  const isDamaged = random() < 0.1 && ["utf-8", "shift_jis", "euc-kr", "gbk"].includes(name);
  const tail = isDamaged ? Buffer.from([0x23, 0xff, 0x0a]) : Buffer.alloc(0);
  const head = Buffer.concat([Buffer.from(mark, "hex"), written(lines.slice(0, from), breaks)]);
  const rest = Buffer.concat([written(lines.slice(from + count), breaks.slice(from + count)), tail]);
  const joined = (some: readonly string[]) => some.map((text) => `${text}\n`).join("");
  return {
    before: Buffer.concat([head, written(old, breaks.slice(from)), rest]),
    after: Buffer.concat([head, written(next, nextBreaks), rest]),
    oldText: joined(old),
    newText: joined(next),
  };
}

export type Outcome = "landed" | "refused" | "ambiguous" | "wrong";

export async function tryEncodedEdit({ before, after, oldText, newText }: EncodedEdit): Promise<Outcome> {
  const read = await readText(before);
  if (!read) return "wrong";
  try {
    const { file } = await editFile({ bytes: before, ...read }, [{ oldText, newText }]);
    return file.bytes.equals(after) ? "landed" : "wrong";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The same lines elsewhere: no engine could tell which.
    return error.message.includes("occurs") ? "ambiguous" : "refused";
  }
}
