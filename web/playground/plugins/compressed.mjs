// Puts a compressed file beside each large one when the page is built, so that the server need not compress.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const worth = /[.](?:js|css|wasm|svg)$/;

/** Compresses the assets. `folder` is where the page is built. */
export function compressed(folder) {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      const assets = join(folder, "assets");
      for (const name of readdirSync(assets).filter((file) => worth.test(file))) {
        const plain = readFileSync(join(assets, name));
        const small = gzipSync(plain, { level: 9 });
        if (small.length < plain.length * 0.9) writeFileSync(join(assets, `${name}.gz`), small);
      }
    },
  };
}
