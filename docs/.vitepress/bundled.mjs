// Writes down which packages the site holds, for THIRD_PARTY_NOTICES.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Lists the packages of all chunks in `file`, by their places in the lock file. */
export function bundled(file) {
  let server = false; // what renders the pages while the site is built
  return {
    name: "bundled-packages",
    apply: "build",
    configResolved(config) {
      server = Boolean(config.build.ssr);
    },
    generateBundle(_, bundle) {
      if (server) return;
      const places = new Set();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const place = id.match(/node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/)?.[0];
          if (place) places.add(place);
        }
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify([...places].sort()));
    },
  };
}
