"use strict";

const { binaryPath } = require("./binary.js");
const { ControlError, LintError, Rehearsal, Scope, Server, rehearsal } = require("./client.js");

module.exports = { ControlError, LintError, Rehearsal, Scope, Server, binaryPath, rehearsal };
