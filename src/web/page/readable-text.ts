/** What a page says, without what stands around it. */
export interface Readable {
  title: string;
  author: string;
  published: string;
  /** Markdown. */
  text: string;
  /** Nearly nothing to read, but scripts that would make something: worth opening in a browser. */
  needsScripts: boolean;
}

/** As it is shown: with the title, unless the text opens with a heading of its own. */
export function readableText({ title, author, published, text }: Readable): string {
  const heading = title && !/^#+ /.test(text) ? `# ${title}` : "";
  const byline = [author && `By ${author}`, published].filter(Boolean).join(", ");
  return [heading, byline, text].filter(Boolean).join("\n\n");
}
