import { Failure } from "../../failure/failure.ts";
import { type BrowserSettings, launchBrowser } from "./launch.ts";

/** A port where nothing listens, so the page cannot load anything. */
const nowhere = "http://127.0.0.1:9";

/** Prints a page to PDF, without scripts and without network. */
export async function printPdf(html: string, settings: BrowserSettings): Promise<Buffer> {
  const browser = await launchBrowser(settings, nowhere).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const found = settings.executables.length > 0 ? error.message.replace(/ For static pages .*$/, "") : "";
    throw new Failure(
      "UNAVAILABLE",
      `Creating a PDF needs Chromium. ${found} The formats md, html and docx need no browser.`,
    );
  });
  try {
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
    const page = await context.newPage();
    await page.setContent(html, { waitUntil: "load", timeout: settings.stepMs });
    const footer =
      '<div style="width:100%;text-align:center;font-size:8px;color:#777"><span class="pageNumber"></span> / <span class="totalPages"></span></div>';
    return await page.pdf({
      format: "A4",
      margin: { top: "20mm", bottom: "20mm", left: "20mm", right: "20mm" },
      displayHeaderFooter: true,
      headerTemplate: "<span></span>",
      footerTemplate: footer,
      tagged: true,
      outline: true,
    });
  } finally {
    await browser.close();
  }
}
