/** The little that the comparison needs; the full types would bring the browser's globals into every file. */
declare module "jsdom" {
  export class JSDOM {
    constructor(html: string, options?: { url?: string });
    readonly window: { readonly document: unknown; close(): void };
  }
}
