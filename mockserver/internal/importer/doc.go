// Package importer turns export files, of whatever kind, into the rows of a dataset: profiles, installations and events (schemas/data).
// It tells the kind of a file from its content, reads what a column says from the schemas and not from its name, and joins what files of
// different kinds say of one person.
//
// Memory does not grow with the rows: they are sorted twice on disk, by installation, so that rows without a person find theirs, and by
// person. See docs/how-to/import-exports.md
package importer
