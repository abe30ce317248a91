const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const dayNames = "sun mon tue wed thu fri sat".split(" ");
/** With a leap day in it, except around the year 2100. */
const horizonDays = 4 * 366;
const dayMs = 24 * 60 * 60 * 1000;

interface Field {
  isAll: boolean;
  matches(date: Date): boolean;
}

/**
 * Whether a cron line has a day within four years. The library that finds the next time searches much longer for one that has none,
 * and everything else waits for it. Undefined: this is not a cron line.
 */
export function hasDay(cron: string, from = new Date()): boolean | undefined {
  if (/^@[a-z]+$/.test(cron)) return true;
  const fields = cron.trim().toLowerCase().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return undefined;
  const [days, months, weekdays] = fields.slice(-3);
  const day = dayField(days ?? "");
  const month = valuesIn(months ?? "", 1, 12, monthNames);
  const weekday = weekdayField(weekdays ?? "");
  if (!day || !month || !weekday) return undefined;
  // If both are restricted, one of them is enough.
  const isEither = !day.isAll && !weekday.isAll;
  for (let ahead = -1; ahead <= horizonDays; ahead++) {
    const date = new Date(from.getTime() + ahead * dayMs);
    if (!month.has(date.getUTCMonth() + 1)) continue;
    const [isDay, isWeekday] = [day.matches(date), weekday.matches(date)];
    if (isEither ? isDay || isWeekday : isDay && isWeekday) return true;
  }
  return false;
}

function dayField(text: string): Field | undefined {
  const parts = text.split(",");
  const hasLast = parts.includes("l");
  const rest = parts.filter((part) => part !== "l").join(",");
  const values = rest === "" && hasLast ? new Set<number>() : valuesIn(rest, 1, 31);
  if (!values) return undefined;
  const isLast = (date: Date) => new Date(date.getTime() + dayMs).getUTCDate() === 1;
  return {
    isAll: values.size === 31,
    matches: (date) => values.has(date.getUTCDate()) || (hasLast && isLast(date)),
  };
}

function weekdayField(text: string): Field | undefined {
  const [, plain = text, kind, nth] = /^(.+?)(?:(l)|#([1-5]))$/.exec(text) ?? [];
  const values = valuesIn(plain, 0, 7, dayNames);
  if (!values) return undefined;
  if (values.has(7)) values.add(0);
  const isPlace = (date: Date) => {
    if (nth !== undefined) return Math.ceil(date.getUTCDate() / 7) === Number(nth);
    return kind === undefined || new Date(date.getTime() + 7 * dayMs).getUTCDate() <= 7;
  };
  return {
    isAll: plain === text && [0, 1, 2, 3, 4, 5, 6].every((one) => values.has(one)),
    matches: (date) => values.has(date.getUTCDay()) && isPlace(date),
  };
}

function valuesIn(
  text: string,
  first: number,
  last: number,
  names: readonly string[] = [],
): Set<number> | undefined {
  const numberOf = (word: string) => {
    const named = names.indexOf(word);
    return named >= 0 ? named + first : /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  };
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [, all, from = "", to, step = "1"] =
      /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const low = all ? first : numberOf(from);
    const isOne = to === undefined && !part.includes("/");
    const high = all || (to === undefined && !isOne) ? last : to === undefined ? low : numberOf(to);
    if (!(low >= first && high <= last && low <= high && Number(step) > 0)) return undefined;
    for (let value = low; value <= high; value += Number(step)) values.add(value);
  }
  return values;
}
