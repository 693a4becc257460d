// Package amend changes schema files as little as possible so that they allow what they refuse.
//
// A [Bench] holds the files with all changes so far. For a value that is refused it tries small changes of the text, one after another,
// and keeps the first under which the files are still in order and the fault is gone. The layout of a file stays as its author wrote it.
package amend
