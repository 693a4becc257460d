// Puts compressed files beside each large one when the page is built, so that the server need not compress.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

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
        const text = !name.endsWith(".wasm");
        const parameters = { [constants.BROTLI_PARAM_MODE]: text ? constants.BROTLI_MODE_TEXT : constants.BROTLI_MODE_GENERIC, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
        for (const [ending, small] of [[".gz", gzipSync(plain, { level: 9 })], [".br", brotliCompressSync(plain, { params: parameters })]])
          if (small.length < plain.length * 0.9) writeFileSync(join(assets, name + ending), small);
      }
    },
  };
}
