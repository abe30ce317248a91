import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, "../dist/ui"),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // No inlined assets: the content security policy allows scripts and styles from files only.
    assetsInlineLimit: 0,
    target: "es2023",
    // The part that draws diagrams is large; it is loaded with the first diagram.
    chunkSizeWarningLimit: 2000,
  },
});
