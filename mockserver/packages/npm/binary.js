"use strict";

const platforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-arm64", "win32-x64"];

/** The path of the program for this machine. A test that starts a server starts this, which is one process fewer than the command. */
function binaryPath() {
  const named = process.env.REHEARSAL_BINARY;
  if (named) return named;
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new Error(`there is no program for ${platform}, only for ${platforms.join(", ")}. Build it from source, and name it in REHEARSAL_BINARY.`);
  }
  const name = `@rehearsal/${platform}`;
  try {
    return require.resolve(`${name}/bin/rehearsal${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    throw new Error(
      `the package ${name}, which has the program for this machine, is not installed.\n` +
        "It is an optional dependency: install without --omit=optional and --no-optional.\n" +
        "If node_modules or the lock file come from another system, delete both and install again.\n" +
        "REHEARSAL_BINARY names a program that is somewhere else.",
    );
  }
}

module.exports = { binaryPath };
