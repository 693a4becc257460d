// Package har turns recordings into HAR 1.2 files, which browsers, other proxies
// and testing tools read and write, and such files into recordings.
// See docs/how-to/record-and-replay.md
package har
