#!/usr/bin/env node
"use strict";
// Runs the program of this machine: it gets the arguments, the terminal and the signals, and its end is the end of this.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { binaryPath } = require("../binary.js");

let program;
try {
  program = binaryPath();
} catch (error) {
  console.error(`rehearsal: ${error.message}`);
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`rehearsal: ${program} cannot be run: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const each of signals) process.removeAllListeners(each);
  process.kill(process.pid, signal);
  process.exitCode = 128 + constants.signals[signal]; // for signals that end nothing here
});
