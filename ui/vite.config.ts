import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * The library that draws Mermaid leaves it to ELK which edge of a cycle points back, and ELK then puts a later node first.
 * Depth first, the order is that of the source.
 */
const diagramsInOrder: Plugin = {
  name: "diagrams-in-order",
  transform(code, id) {
    if (!/beautiful-mermaid\/dist\/index\.js$/.test(id.split("?")[0] ?? "")) return undefined;
    const layered = '"elk.algorithm": "layered",';
    if (!code.includes(layered)) throw new Error("beautiful-mermaid sets its layout in another way now.");
    const inOrder = `${layered} "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",`;
    return { code: code.replaceAll(layered, inOrder), map: null };
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react(), diagramsInOrder],
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
