/** The main content of a page, without navigation and the like. */
export interface Readable {
  title: string;
  author: string;
  published: string;
  /** Markdown. */
  text: string;
  /** Almost no text, but scripts that may produce it: worth opening in a browser. */
  needsScripts: boolean;
}

/** The text to show: with the title, unless it starts with a heading. */
export function readableText({ title, author, published, text }: Readable): string {
  const heading = title && !/^#+ /.test(text) ? `# ${title}` : "";
  const byline = [author && `By ${author}`, published].filter(Boolean).join(", ");
  return [heading, byline, text].filter(Boolean).join("\n\n");
}
