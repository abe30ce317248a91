/** A key that Wield can use. The key itself is never returned. */
export interface KeyView {
  /** What `wield login` calls it. */
  provider: string;
  label: string;
  kind: "model" | "search" | "github";
  /** The environment variable that holds it; the environment comes before what is stored. */
  variable: string;
  /** Where its key comes from now. */
  source: "environment" | "stored" | "none";
  /** Where a key is made. */
  page?: string;
  /** What else it needs. */
  needs: string;
}
