import { expect, test } from "vitest";
import { validateResearchPath } from "../web/research/research-path.ts";
import { slugOf } from "./research-folder.ts";

test.each([
  ["Solar roofs for garden sheds", "solar-roofs-for-garden-sheds"],
  ["Солнечные крыши для сараев", "solnechnye-kryshi-dlya-saraev"],
  ["Ηλιακές στέγες", "iliakes-steges"],
  ["太陽能屋頂", "taiyangnengwuding"],
  ["الطاقة الشمسية", "ltqh-lshmsyh"],
  ["Über Dächer & Höfe: lohnt's?", "uber-dacher-hofe-lohnt-s"],
  ["🌞🏠", "sun-with-face-house"],
  ["??? !!!", "idea"],
  [
    "A very long idea that goes on and on about roofs and sheds and much else",
    "a-very-long-idea-that-goes-on-and-on-about-roofs-and-sheds",
  ],
])("%s", async (idea, expected) => {
  const slug = await slugOf(idea);
  expect(slug).toBe(expected);
  expect(validateResearchPath(`2026-01-12-${slug}/research.md`)).toMatchObject({ ok: true });
});

test("one endless word is cut", async () => {
  expect(await slugOf("x".repeat(500))).toBe("x".repeat(60));
});
