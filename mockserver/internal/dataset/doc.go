// Package dataset keeps the rows that a user loads: profiles, installations and events, to be shown in the exports beside the
// synthetic ones or instead of them.
//
// A [Log] keeps every load, in order, in a store. Each load, each change of the mode and each reset is a generation. An export keeps
// the number of the generation that it was created in, and [Log.At] gives what there was then, so its file never changes.
//
// The rows are in the store, once. A log keeps numbers by the identifiers of its latest rows, to refuse what contradicts them. A
// [Snapshot] reads the rows of its generation from the store, and puts them to the people they are about, by sorting. These people are
// given to a simulation, which shows them. All of it is temporary, in blocks that may be on a disk: memory holds a few bits for each row.
//
// What a row refers to and was not loaded exists all the same, with its identifier alone: an installation that an event names is in
// the user base, and a profile that an installation names is among the profiles.
//
// The packages below it, each of which imports only those before it: blocks keeps records, and input reads rows.
package dataset
