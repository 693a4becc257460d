// Package dataset keeps the rows that a user loads: profiles, installations and events, to be shown in the exports beside the
// synthetic ones or instead of them.
//
// A [Log] keeps every load, in order, in a store. Each load, each change of the mode and each reset is a generation. An export keeps
// the number of the generation that it was created in, and [Log.At] gives what there was then, so its file never changes.
//
// Memory does not grow with the rows: a [Log] and its [Snapshot] keep records in blocks, which may be on a disk, and hold a few bits
// for each row. A load is read into a spool, added to the entries of a segment, and found by sorted runs of identifiers. A snapshot
// puts entries to the people they are about, by sorting them on disk. These people are given to a simulation, which shows them.
//
// What a row refers to and was not loaded exists all the same, with its identifier alone: an installation that an event names is in
// the user base, and a profile that an installation names is among the profiles.
//
// The packages below it, each of which imports only those before it: blocks keeps records, and input reads rows.
package dataset
