// Package rows writes export files. From the compiled schema of an output it makes a plan once, in which everything that is the same for
// all rows of an event type is already text, and then runs the plan over the rows of a view of the world (export API sections 2.4 and
// 2.7).
//
// Nothing about columns, members, their order or their allowed values is known here: it all comes from the schema files. A column with
// the keyword x-source prints a value of the world; any other gets a value that conforms to its schema.
//
// A file is a pure function of its exports.File: it is written in parts by a server (WriteParts), which may write it again at any time,
// or in shards on any number of machines (Write). A plan is made of programs, lists of ops each of which writes its value.
package rows
