// Package files writes the file of each export once, while the export is under way, and gives it out from where it lies: in memory as
// long as it is small, else in a temporary file. It names and links the parts of files, and says when a file can no longer be written.
//
// A file is a pure function of its record. What was evicted to make room, or is not here after a restart or on another server, is written
// again with the same bytes. See docs/explanation/specification.md#where-does-a-file-lie
package files
