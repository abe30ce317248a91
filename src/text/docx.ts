import { type Block, blocksOf, sourceList } from "./markdown-blocks.ts";
import { type Span, spansOf } from "./markdown-spans.ts";
import { zip } from "./zip.ts";

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageTypes = "http://schemas.openxmlformats.org/package/2006";
const wordTypes = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/**
 * Markdown as a Word document: headings, lists, tables, code, quotes and links, with Word's own styles. Numbers like [2] lead to
 * their entry where a list of sources ends the text.
 */
export function docxOf(markdown: string): Buffer {
  const links: string[] = [];
  const lists: { ordered: boolean; start: number }[] = [];
  const blocks = blocksOf(markdown);
  const sources = sourceList(blocks);
  const writer: Writer = {
    sources,
    link: (href) => `link${links.push(href)}`,
    list: (ordered, start) => lists.push({ ordered, start }),
  };
  const body = blocks.map((block) => blockXml(block, writer, {}));
  // A table at the end must be followed by a paragraph.
  const document = `${header}<w:document xmlns:w="${main}" xmlns:r="${relations}"><w:body>${body.join("")}<w:p/></w:body></w:document>`;
  const parts: Record<string, string> = {
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": relationsXml([{ id: "document", type: "officeDocument", target: "word/document.xml" }]),
    "word/document.xml": document,
    "word/_rels/document.xml.rels": relationsXml([
      { id: "styles", type: "styles", target: "styles.xml" },
      { id: "numbering", type: "numbering", target: "numbering.xml" },
      ...links.map((target, at) => ({ id: `link${at + 1}`, type: "hyperlink", target, external: true })),
    ]),
    "word/styles.xml": styles,
    "word/numbering.xml": numberingXml(lists),
  };
  return zip(Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
}

interface Writer {
  /** What numbers in the text refer to. */
  sources: Extract<Block, { kind: "list" }> | undefined;
  /** The id of a link to this address. */
  link(href: string): string;
  /** The number of a new list. */
  list(ordered: boolean, start: number): number;
}

/** Where a block is: in a list item, in a quotation. */
interface Place {
  list?: { number: number; level: number };
  style?: string;
  /** The number of the source whose entry begins here. */
  source?: number;
}

function blockXml(block: Block, writer: Writer, place: Place): string {
  switch (block.kind) {
    case "heading":
      return paragraph(runs(spansOf(block.text), writer), { ...place, style: `Heading${block.level}` });
    case "text": {
      const mark = place.source === undefined ? "" : bookmark(place.source);
      return paragraph(mark + runs(spansOf(block.text), writer), place);
    }
    case "code":
      return block.text
        .split("\n")
        .map((line) => paragraph(run(line, "<w:noProof/>"), { ...place, style: "Code" }))
        .join("");
    case "quote":
      return block.blocks.map((inner) => blockXml(inner, writer, { ...place, style: "Quote" })).join("");
    case "list": {
      const level = place.list ? Math.min(8, place.list.level + 1) : 0;
      const number = writer.list(block.ordered, block.start);
      return block.items
        .map((item, index) =>
          withBox(item, block.tasks?.[index])
            .map((inner, at) =>
              // Only the first paragraph of an item has its mark.
              blockXml(
                inner,
                writer,
                at === 0 || inner.kind === "list"
                  ? {
                      list: { number, level },
                      ...(at === 0 && block === writer.sources && { source: index + 1 }),
                    }
                  : place,
              ),
            )
            .join(""),
        )
        .join("");
    }
    case "table":
      return tableXml(block, writer);
    case "math":
      return paragraph(run(block.text, "<w:noProof/>"), { ...place, style: "Code" });
    case "notes":
      return block.notes
        .map(({ label, blocks: [first, ...rest] }) => {
          const words = first?.kind === "text" ? first.text : "";
          const others = first?.kind === "text" ? rest : first ? [first, ...rest] : rest;
          const head = paragraph(runs(spansOf(`${label}. ${words}`), writer), place);
          return head + others.map((inner) => blockXml(inner, writer, place)).join("");
        })
        .join("");
    case "rule":
      return '<w:p><w:pPr><w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr></w:pPr></w:p>';
  }
}

/** A task begins with its box. */
function withBox([first, ...rest]: readonly Block[], done: boolean | undefined): Block[] {
  const box = done ? "☑" : "☐";
  if (done === undefined || !first) return first ? [first, ...rest] : [];
  return first.kind === "text"
    ? [{ ...first, text: `${box} ${first.text}` }, ...rest]
    : [{ kind: "text", text: box }, first, ...rest];
}

function tableXml({ head, rows, align }: Extract<Block, { kind: "table" }>, writer: Writer): string {
  const cell = (text: string, column: number, bold: boolean) => {
    const where = align[column] ?? "left";
    const spans: Span[] = bold ? [{ kind: "strong", spans: spansOf(text) }] : spansOf(text);
    return `<w:tc><w:tcPr/><w:p><w:pPr><w:jc w:val="${where}"/></w:pPr>${runs(spans, writer)}</w:p></w:tc>`;
  };
  const columns = Math.max(head.length, ...rows.map((row) => row.length));
  const row = (cells: readonly string[], bold: boolean) => {
    const all = Array.from({ length: columns }, (_, at) => cell(cells[at] ?? "", at, bold));
    return `<w:tr>${bold ? "<w:trPr><w:tblHeader/></w:trPr>" : ""}${all.join("")}</w:tr>`;
  };
  const grid = "<w:gridCol/>".repeat(columns);
  return `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${row(head, true)}${rows.map((cells) => row(cells, false)).join("")}</w:tbl><w:p/>`;
}

function paragraph(inside: string, { style, list }: Place): string {
  const properties = [
    style === undefined ? "" : `<w:pStyle w:val="${style}"/>`,
    list ? `<w:numPr><w:ilvl w:val="${list.level}"/><w:numId w:val="${list.number}"/></w:numPr>` : "",
  ].join("");
  return `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${inside}</w:p>`;
}

function runs(spans: readonly Span[], writer: Writer, format = ""): string {
  return spans.map((span) => runsOf(span, writer, format)).join("");
}

function runsOf(span: Span, writer: Writer, format: string): string {
  switch (span.kind) {
    case "text":
      return textRuns(span.text, writer.sources?.items.length ?? 0, format);
    case "break":
      return "<w:r><w:br/></w:r>";
    case "note":
      return run(`[${span.label}]`, format);
    case "key":
      return run(span.text, format);
    case "strike":
      return runs(span.spans, writer, `${format}<w:strike/>`);
    case "math":
    case "code":
      return run(span.text, `<w:rStyle w:val="CodeInText"/>${format}`);
    case "strong":
      return runs(span.spans, writer, `${format}<w:b/>`);
    case "em":
      return runs(span.spans, writer, `${format}<w:i/>`);
    case "link": {
      const inside = run(span.text, `<w:rStyle w:val="Hyperlink"/>${format}`);
      return `<w:hyperlink r:id="${writer.link(span.href)}">${inside}</w:hyperlink>`;
    }
  }
}

/** A number of a source leads to its entry. */
function textRuns(text: string, sources: number, format: string): string {
  return text
    .split(/(\[\d{1,3}\])/)
    .filter((part) => part !== "")
    .map((part) => {
      const number = Number(/^\[(\d{1,3})\]$/.exec(part)?.[1] ?? 0);
      const isSource = number >= 1 && number <= sources;
      return isSource
        ? `<w:hyperlink w:anchor="source-${number}">${run(part, format)}</w:hyperlink>`
        : run(part, format);
    })
    .join("");
}

function bookmark(number: number): string {
  return `<w:bookmarkStart w:id="${number}" w:name="source-${number}"/><w:bookmarkEnd w:id="${number}"/>`;
}

function run(text: string, format: string): string {
  const lines = text.split("\n").map((line) => `<w:t xml:space="preserve">${escaped(line)}</w:t>`);
  return `<w:r>${format === "" ? "" : `<w:rPr>${format}</w:rPr>`}${lines.join("<w:br/>")}</w:r>`;
}

/** XML 1.0 has no form at all for control characters and lone surrogates: they are replaced. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

interface Relation {
  id: string;
  type: string;
  target: string;
  external?: boolean;
}

function relationsXml(all: readonly Relation[]): string {
  const lines = all.map(
    ({ id, type, target, external }) =>
      `<Relationship Id="${id}" Type="${relations}/${type}" Target="${escaped(target)}"${external ? ' TargetMode="External"' : ""}/>`,
  );
  return `${header}<Relationships xmlns="${packageTypes}/relationships">${lines.join("")}</Relationships>`;
}

/** Each list has a numbering of its own, so that every ordered list begins with its own number. */
function numberingXml(lists: readonly { ordered: boolean; start: number }[]): string {
  const level = (ordered: boolean, start: number, at: number) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${ordered ? "decimal" : "bullet"}"/><w:lvlText w:val="${ordered ? `%${at + 1}.` : "•"}"/><w:pPr><w:ind w:left="${720 * (at + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;
  const levels = (ordered: boolean, start: number) =>
    Array.from({ length: 9 }, (_, at) => level(ordered, start, at)).join("");
  const kinds = lists.map(
    ({ ordered, start }, at) =>
      `<w:abstractNum w:abstractNumId="${at + 1}">${levels(ordered, start)}</w:abstractNum>`,
  );
  const numbers = lists.map(
    (_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at + 1}"/></w:num>`,
  );
  return `${header}<w:numbering xmlns:w="${main}">${kinds.join("")}${numbers.join("")}</w:numbering>`;
}

const contentTypes = `${header}<Types xmlns="${packageTypes}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${wordTypes}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${wordTypes}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${wordTypes}.numbering+xml"/></Types>`;

function styleXml(type: "paragraph" | "character", id: string, inside: string): string {
  return `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id.replace(/^Heading(\d)$/, "heading $1")}"/>${inside}</w:style>`;
}

const mono = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/><w:sz w:val="20"/>';
const borders = ["top", "left", "bottom", "right", "insideH", "insideV"]
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="BFBFBF"/>`)
  .join("");
const styles = `${header}<w:styles xmlns:w="${main}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>${[
  ...[36, 30, 26, 24, 22, 22].map((size, at) =>
    styleXml(
      "paragraph",
      `Heading${at + 1}`,
      `<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="${at}"/></w:pPr><w:rPr><w:b/><w:sz w:val="${size}"/></w:rPr>`,
    ),
  ),
  styleXml(
    "paragraph",
    "Code",
    `<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/><w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/></w:pPr><w:rPr>${mono}</w:rPr>`,
  ),
  styleXml("paragraph", "Quote", '<w:pPr><w:ind w:left="480"/></w:pPr><w:rPr><w:i/></w:rPr>'),
  styleXml("character", "CodeInText", `<w:rPr>${mono}</w:rPr>`),
  styleXml("character", "Hyperlink", '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>'),
].join(
  "",
)}<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>${borders}</w:tblBorders><w:tblCellMar><w:left w:w="108" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style></w:styles>`;
