import type { BrowserSettings } from "../web/browser/launch.ts";

export const reportFormats = ["md", "html", "docx", "pdf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** A report in Markdown as a file of another format; `browser` is used for PDF. */
export async function convertReport(
  markdown: string,
  format: ReportFormat,
  browser: BrowserSettings,
): Promise<Buffer> {
  switch (format) {
    case "md":
      return Buffer.from(markdown);
    case "docx":
      return (await import("../text/docx.ts")).docxOf(markdown);
    case "html":
      return Buffer.from(await htmlOfReport(markdown));
    case "pdf": {
      const { printPdf } = await import("../web/browser/print-pdf.ts");
      return printPdf(await htmlOfReport(markdown), browser);
    }
  }
}

async function htmlOfReport(markdown: string): Promise<string> {
  const { htmlOf } = await import("../text/html.ts");
  const title = /^#\s+(.+)$/m.exec(markdown)?.[1] ?? "Report";
  return htmlOf(markdown, title.replaceAll(/\[\d{1,3}\]|[*_`]/g, "").trim());
}
