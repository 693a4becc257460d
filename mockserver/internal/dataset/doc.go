// Package dataset holds the rows that a user loads: profiles, installations and
// events from CSV or JSON, to be shown in the exports beside the synthetic ones
// or instead of them.
//
// Rows are read and checked against the schemas data/profile.json,
// data/installation.json and data/event.json, all or none of a load ([Read],
// [ReadDirectory]). A [Log] keeps every load, in order, in a store. Each load,
// each change of the mode and each reset is a generation. An export keeps the
// number of the generation that it was created in, and [Log.At] gives what
// there was then, so its file never changes.
//
// Memory does not grow with the rows: a [Log] and its [Snapshot] keep records in
// [Blocks], which may be on a disk, and hold a few bits for each row. A load is
// read into a [Spool], added to the lists of a segment, and found by sorted runs
// of identifiers. A snapshot joins these lists by sorting them on disk: each
// profile stands with its installations and with what events left behind, each
// event with the state that it met.
//
// What follows from the rows is derived from these records: the flags and
// addresses at any moment, the reachability rows of a change, the latest open or
// click of a profile. What a row refers to and was not loaded
// exists all the same, with its identifier alone: an installation that an event
// names is in the user base, and a profile that an installation names is among
// the profiles.
package dataset
