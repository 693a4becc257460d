/**
 * The path of the program for this machine, or that which REHEARSAL_BINARY names. A test that starts a server starts this, which is
 * one process fewer than the command. It throws, and says what to do, where the package of this machine is missing.
 */
export function binaryPath(): string;
