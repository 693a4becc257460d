// Package world is one synthetic population: profiles, their installations,
// the messages sent to them and the changes of their consent. Every export is
// a view of it (export API sections 1 and 2).
//
// Nothing is stored and nothing is drawn in sequence. Every value is a
// function of the seed and of what it belongs to (profile 17, message 4 of
// week 2,900), so any part of any view can be made alone, on any machine, with
// the same result, and the same person is the same in every file.
//
// A few ideas carry it:
//
//   - An identifier is a bijection of an index: it is recomputed, never looked
//     up. Profiles are numbered in the order in which they are created, and
//     the owner of an installation follows by arithmetic.
//   - A keyed permutation orders the members that get a message in a week, and
//     those whose consent changes in a month. It has an inverse, so both "what
//     happened in this hour" and "what happened to this person" are answered
//     directly.
//   - Members are numbered, and 64 consecutive ones are a block. What is true of
//     them (a consent, the level of activity, that a message of the week reaches
//     a step) is drawn bit-sliced, for the whole block: a [memberSet] is a bit
//     mask with one bit per member. So members are selected by operations on
//     words, and only the selected ones are looked at.
//   - An intensity is a density of events over time, with its integral and the
//     inverse of that. So events come at busy hours, in bursts or over years,
//     and are counted without being listed.
//   - A delay permutes whole slots of time: what happens in an hour is traced
//     back to the few slots in which the messages were sent.
//   - What people do in the app is one history: the times of sessions are drawn
//     once, for all in-app campaigns, and push messages are those of one stream,
//     which campaigns and profiles look at. What ends something (a hard bounce, a
//     complaint) is drawn from its end: first when the address goes, then the
//     message before.
//   - Time is cut in slots that hold a few hundred events on average. A view is
//     a list of such units; the window of an export is a range of them. How messages
//     are looked for is another matter: in as many slots at once as hold a
//     thousand events, while somebody reads on.
//
// It stays one package: profiles, messages, timelines and the world refer to
// each other in every function, and a border between them would be a list of
// everything.
//
// [Settings] shape a world: shares of channels, rates, campaigns, audiences.
// Telephone numbers, with the regions, languages and time zones that agree with
// them, are a table made of public data (testdata/ranges.csv); a test keeps it
// up to date.
//
// Times are whole seconds since 1970, UTC. The world begins on 2024-01-01:
// before that, there are people, and nothing happens to them.
package world
