import { expect, test } from "vitest";
import { hasDay } from "./cron-days.ts";

const from = new Date("2026-11-18T12:00:00Z");

test.each([
  ...["30 6 * * 1-5", "*/5 * * * *", "0 0 29 2 *", "0 0 31 12 *", "0 0 L 2 *", "0 9 * * 1#2", "0 9 * * 5L"],
  ...["0 0 31 2 1", "0 0 1 JAN,JUL *", "0 0 ? * MON-FRI", "15 0 0 1 */3 *", "@daily", "0 0 1/10 * *"],
  ...["0 0 * * 7", "0 0 * * SUN", "0 0 30,31 4 *"],
])("%s has a day", (cron) => {
  expect(hasDay(cron, from)).toBe(true);
});

test.each(["0 0 31 2 *", "0 0 0 31 2,4,6,9,11 *", "0 0 30-31 FEB ?", "0 0 * 2 1#5", "0 0 31 2 0-6"])(
  "%s has none within four years",
  (cron) => {
    expect(hasDay(cron, from)).toBe(false);
  },
);

test.each([
  ...["", "* * * *", "0 0 0 0 0 0 0", "0 0 32 * *", "0 0 * 13 *", "0 0 * * 8", "0 0 x * *", "0 0 5-1 * *"],
  ...["0 0 1/0 * *", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31", "RRULE:FREQ=DAILY a b c d", "H H * * H"],
])("%j is no cron line", (cron) => {
  expect(hasDay(cron, from)).toBeUndefined();
});
