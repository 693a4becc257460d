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
// Everything that follows from the rows is derived when it is asked for: the
// flags and addresses at any moment, the reachability rows of a change, the
// latest open or click of a profile. What a row refers to and was not loaded
// exists all the same, with its identifier alone: an installation that an event
// names is in the user base, and a profile that an installation names is among
// the profiles.
package dataset
