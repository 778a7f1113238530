// The bundle: four files with fixed names and the same bytes on every machine. It is committed, so that users need no Node.js.
import { defineConfig } from "vite";
import { notices } from "./notices.ts";

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [
    { name: "plain-tags", enforce: "post", transformIndexHtml: (html: string) => html.replaceAll(" crossorigin", "") },
    notices(),
  ],
  build: {
    outDir: "../src/anthropi/formats/pages/bundle",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: false,
    assetsInlineLimit: 100_000,
    chunkSizeWarningLimit: 4000,
    rollupOptions: {
      output: {
        entryFileNames: "studio.js",
        chunkFileNames: "studio-[name].js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "studio.css" : "[name][extname]"),
        codeSplitting: false,
      },
    },
  },
});
