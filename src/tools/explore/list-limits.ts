/** How much the lists of places tell; each tool's token budget is the narrower limit. */
export const listLimits = {
  /** Matching lines of a page, unless fewer or more are asked for. */
  page: 50,
  /** What may be asked for. */
  largestPage: 100,
  /** Where a page is too short for all, the share of one file; the file says how the rest is shown. */
  perFile: 15,
  /** From this many matches on, counts by directory say more than a first page. */
  broad: 300,
  /** Lines around a match. */
  context: 20,
  /** Letters of a line; where not all lines fit, of each. The cut is marked. */
  width: { usual: 240, narrow: 110 },
  /** Possible uses among sure ones; more of them come behind all that are sure. */
  possible: 30,
  /** Files beyond a page that are named with their number of matches. */
  namedFiles: 6,
  /** The share of the budget for the line numbers of what is beyond the page. */
  beyond: 0.5,
  /** Of many matches where the caller is known to look for something: files looked into, the matches compared in each, those shown of the best files. */
  overview: { files: 30, matches: 40, compared: 5, shown: [10, 5, 5, 5, 4, 4] },
} as const;
