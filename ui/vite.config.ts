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
    // Assets are files of their own: the page's policy allows no other source of scripts and styles.
    assetsInlineLimit: 0,
    target: "es2023",
  },
});
