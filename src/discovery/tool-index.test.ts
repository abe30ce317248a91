import { describe, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { stem } from "./stem.ts";
import { providerOf, type ToolDocument } from "./tool-document.ts";
import { ToolIndex } from "./tool-index.ts";

const catalogue: ToolDocument[] = [
  { name: "agentBrowserNavigate", category: "Browser Automation", description: "Open a URL in a browser." },
  { name: "browseWeb", category: "Web Content", description: "Read a web page as text." },
  { name: "executeCode", category: "Code Execution", description: "Run Python code and return its output." },
  {
    name: "getWeather",
    category: "Utility",
    description: "Current weather at a place.",
    parameters: { city: "Name of the city", date: "Day of the forecast" },
  },
  { name: "github__create_issue", category: "github", description: "Create a new issue in a repository." },
  { name: "github__list_issues", category: "github", description: "List the issues of a repository." },
  { name: "currency_convert", category: "Finance", description: "Convert an amount between two currencies." },
];

function indexOf(documents: readonly ToolDocument[]): ToolIndex {
  const index = new ToolIndex();
  for (const document of documents) index.add(document);
  return index;
}

describe("words", () => {
  test.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["searching", "search"],
    ["hopping", "hop"],
    ["relational", "relat"],
    ["conditional", "condit"],
    ["electrical", "electr"],
    ["adjustment", "adjust"],
    ["rate", "rate"],
    ["controlling", "control"],
    ["sky", "sky"],
    ["naïve", "naïve"],
  ])("the stem of %s is %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  test("names are split, endings taken off, the words of a request ignored", () => {
    const index = indexOf(catalogue);
    expect(index.search("browsers", 1)).toEqual(["agentBrowserNavigate"]);
    expect(index.search("Could you please help me with creating an issue?", 1)).toEqual([
      "github__create_issue",
    ]);
    expect(index.search("converted currencies", 1)).toEqual(["currency_convert"]);
  });

  test("a request of function words and unknown words finds nothing", () => {
    const index = indexOf(catalogue);
    expect(index.search("could you please", 5)).toEqual([]);
    expect(index.search("zyxwv", 5)).toEqual([]);
    expect(index.search("", 5)).toEqual([]);
  });
});

describe("words that no tool has", () => {
  const tools: ToolDocument[] = [
    { name: "book_table", description: "Reserve a place in a restaurant." },
    { name: "convert_money", description: "Convert an amount between two currencies." },
  ];

  test("a word of like meaning stands in", () => {
    expect(indexOf(tools).search("cuisine", 1)).toEqual(["book_table"]);
    expect(indexOf(tools).search("euros", 1)).toEqual(["convert_money"]);
  });

  test("once a tool has the word itself, nothing stands in for it", () => {
    const index = indexOf(tools);
    expect(index.search("cuisine", 5)).toEqual(["book_table"]);
    index.add({ name: "styles", description: "Kinds of cuisine." });
    expect(index.search("cuisine", 5)).toEqual(["styles"]);
    index.remove("styles");
    expect(index.search("cuisine", 5)).toEqual(["book_table"]);
  });

  test("a stand-in counts less than a word that is there", () => {
    const index = indexOf([...tools, { name: "eating_out", description: "Where to eat in Lisbon." }]);
    expect(index.search("cuisine in Lisbon", 2)).toEqual(["eating_out", "book_table"]);
  });
});

describe("ranking", () => {
  test("an exact name comes first, whatever else matches better", () => {
    const index = indexOf([
      ...catalogue,
      { name: "issue", description: "Nothing to do with it." },
      { name: "issue_issue", description: "issue issue issue" },
    ]);
    expect(index.search("issue", 3)[0]).toBe("issue");
  });

  test("words that stand together count more than the same words apart", () => {
    const index = indexOf([
      { name: "a", description: "Net profit and gross income of a company" },
      { name: "b", description: "Company profit, gross and net income" },
    ]);
    expect(index.search("net income", 1)).toEqual(["b"]);
  });

  test("every sentence of a request gets its tool", () => {
    const documents = Array.from({ length: 8 }, (_, i) => ({
      name: `weather_${i}`,
      description: "Weather forecast for a city with temperature and wind",
    }));
    const index = indexOf([...documents, { name: "stock_price", description: "Price of a share" }]);
    const found = index.search("Weather forecast for a city with temperature and wind. Price of a share.", 3);
    expect(found).toContain("stock_price");
  });

  test("a date in the request speaks for a tool that takes a date", () => {
    const index = indexOf([
      { name: "a_trains", description: "Train connections", parameters: { from: "Start", to: "End" } },
      { name: "b_trains", description: "Train connections", parameters: { from: "Start", date: "Day" } },
    ]);
    expect(index.search("train connections on March 9th", 1)).toEqual(["b_trains"]);
    expect(index.search("train connections", 1)).toEqual(["a_trains"]);
  });

  test("and so does every other value, under whatever name the tool takes it", () => {
    const takes = (argument: string) =>
      indexOf([
        { name: "a_trains", description: "Train connections", parameters: { colour: "Window" } },
        { name: "b_trains", description: "Train connections", parameters: { [argument]: "Window" } },
      ]);
    for (const [argument, value] of [
      ["day", "on 2031-04-05"],
      ["hour", "at 10:30"],
      ["destination", "to Bergen, Norway"],
      ["town", "in Bergen, Norway"],
      ["author", "as told by Selma Lagerlöf"],
      ["budget", "for $40"],
      ["link", "from https://example.com"],
      ["longitude", "near 60.3913, 5.3221"],
      ["period", "for three weeks"],
      ["passengers", "for two adults"],
    ] as const) {
      const request = `train connections ${value}`;
      expect([request, takes(argument).search(request, 1)]).toEqual([request, ["b_trains"]]);
    }
  });

  test("a tool that does something is not meant by a request that says nothing of it", () => {
    const description = "Tickets for a concert.";
    const index = indexOf([
      { name: "list_x", description },
      { name: "send_x", description },
      { name: "history", description: "What was there: mail." },
      ...[0, 1, 2, 3].map((i) => ({ name: `other_${i}`, description: `Something else ${i}: lamps.` })),
    ]);
    expect(index.search("tickets for a concert", 1)).toEqual(["list_x"]);
    expect(index.search("mail tickets for a concert", 1)).toEqual(["send_x"]);
  });

  test("who asks for something to be made means the tool that makes it, whatever the verbs", () => {
    const index = indexOf([
      { name: "readReport", description: "Read a report, or an earlier version." },
      { name: "createReport", description: "Create a report (text or table), kept with all its versions." },
      ...[0, 1, 2, 3].map((i) => ({ name: `other_${i}`, description: `Something else ${i}: lamps.` })),
    ]);
    for (const verb of ["write", "make", "please draft", "I want to make"])
      expect(index.search(`${verb} a report`, 1)).toEqual(["createReport"]);
    expect(index.search("read what I made: a report", 1)).toEqual(["readReport"]);
  });

  test("what stands in quotation marks is a value more than a wish", () => {
    const index = indexOf([
      { name: "a_kites", description: "Kites." },
      { name: "b_flutes", description: "Flutes." },
    ]);
    expect(index.search("flutes and 'kites'", 1)).toEqual(["b_flutes"]);
    expect(index.search("'flutes' and kites", 1)).toEqual(["a_kites"]);
    expect(index.search("'flutes' and kites and flutes", 1)).toEqual(index.search("kites and flutes", 1));
  });

  test("of tools with the same words of the request, the one about its subject comes first", () => {
    const index = indexOf([
      { name: "a_record", description: "Record of a patient in a hospital." },
      { name: "b_record", description: "Record of a band in a shop." },
      { name: "c_instruments", description: "Guitars and drums." },
    ]);
    expect(index.search("a record with guitars and drums", 3)).toEqual([
      "c_instruments",
      "b_record",
      "a_record",
    ]);
  });

  test("a common English word tells little, however few tools have it", () => {
    const index = indexOf([
      { name: "a_stars", description: "Worth of stars." },
      { name: "b_stars", description: "Gallery of stars." },
    ]);
    expect(index.search("a gallery that is worth it", 1)).toEqual(["b_stars"]);
  });

  test("what a request leaves unsaid counts against a tool, less where all tools say it", () => {
    const index = indexOf([
      { name: "a_x", description: "Tracks of zyxwv." },
      { name: "b_x", description: "Tracks of qwert." },
      ...["c_x", "d_x", "e_x"].map((name) => ({ name, description: "Other qwert." })),
    ]);
    expect(index.search("tracks", 2)).toEqual(["b_x", "a_x"]);
  });

  test("tools of one name stand together", () => {
    const index = indexOf([
      { name: "find_hotel", description: "Find a hotel in a city." },
      { name: "find_hotel#2", description: "Looks up where to stay, with a star rating and a price range." },
      { name: "hotel_reviews", description: "Ratings of a hotel by guests." },
    ]);
    expect(index.search("hotel in a city", 2)).toEqual(["find_hotel", "find_hotel#2"]);
  });

  test("which tool of one name it is, the words about its arguments tell, not the rarest word", () => {
    const index = indexOf([
      { name: "find_hotel", description: "Find a quiet hotel.", parameters: { place: "Town", kind: "Sort" } },
      {
        name: "find_hotel#2",
        description: "Find a hotel.",
        parameters: { place: "Town", kind: "With parking or breakfast" },
      },
      ...["car", "flat", "table", "bike", "boat"].map((thing) => ({
        name: `find_${thing}`,
        description: `Find a ${thing} with parking and breakfast.`,
      })),
    ]);
    expect(index.search("a quiet hotel with parking and breakfast", 2)).toEqual([
      "find_hotel#2",
      "find_hotel",
    ]);
  });

  test("equal tools are ordered by name, however they were added", () => {
    const same = ["c", "a", "b"].map((name) => ({ name: `${name}_x`, description: "the same words" }));
    expect(indexOf(same).search("same words", 3)).toEqual(["a_x", "b_x", "c_x"]);
    expect(indexOf(same.toReversed()).search("same words", 3)).toEqual(["a_x", "b_x", "c_x"]);
  });

  test("names of every kind are names", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const index = indexOf(names.map((name) => ({ name, description: `odd tool ${name}` })));
    for (const name of names) expect(index.search(name, 1)).toEqual([name]);
    index.remove("__proto__");
    expect(index.search("odd tool", 9).sort()).toEqual(["constructor", "hasOwnProperty", "toString"]);
  });

  test("what is not accepted is left out before the cut, not after it", () => {
    const index = indexOf(catalogue);
    expect(index.search("issues of a repository", 1, (name) => name === "github__create_issue")).toEqual([
      "github__create_issue",
    ]);
  });
});

describe("use", () => {
  const request = "Which is the cheapest way to fly to Lisbon?";
  const learned = catalogue.map((document) =>
    document.name === "currency_convert" ? { ...document, uses: [request] } : document,
  );

  test("a tool is found by the words that led to it before", () => {
    expect(indexOf(catalogue).search("fly cheap to Lisbon", 3)).not.toContain("currency_convert");
    expect(indexOf(learned).search("fly cheap to Lisbon", 1)).toEqual(["currency_convert"]);
  });

  test("the best match by words alone stays among the first two, whatever use has taught", () => {
    const words = fc.array(
      fc.constantFrom("issue", "weather", "code", "web", "city", "python", "amount", "list"),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(words, fc.array(words, { maxLength: 6 }), (query, uses) => {
        const text = query.join(" ");
        const best = indexOf(catalogue).search(text, 1)[0];
        const taught = catalogue.map((document) =>
          document.name === best ? document : { ...document, uses: uses.map((use) => use.join(" ")) },
        );
        expect(indexOf(taught).search(text, 5).slice(0, 2)).toContain(best);
      }),
      { numRuns: 60 },
    );
  });
});

test("adding and removing in any order gives the index that was built at once", () => {
  const step = fc.record({ at: fc.nat(catalogue.length - 1), add: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const index = new ToolIndex();
      const present = new Map<string, ToolDocument>();
      for (const { at, add } of steps) {
        const document = catalogue[at] as ToolDocument;
        if (add) {
          index.add(document);
          present.set(document.name, document);
        } else {
          index.remove(document.name);
          present.delete(document.name);
        }
      }
      const fresh = indexOf([...present.values()]);
      expect(index.size).toBe(fresh.size);
      for (const query of ["issue in a repository", "weather city", "python code", "web page. browser"])
        expect(index.search(query, 5)).toEqual(fresh.search(query, 5));
    }),
    { numRuns: 60 },
  );
});

test("the provider is what stands before __ or /, not before a dot", () => {
  expect(["github__list", "maps/route", "weather.get", "a.b/c", "plain"].map(providerOf)).toEqual([
    "github",
    "maps",
    "",
    "a.b",
    "",
  ]);
});
