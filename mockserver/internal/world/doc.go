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
//     whose an installation is follows by arithmetic.
//   - A keyed permutation says who is written to at which moment of a week, and
//     who changes a consent in which month. It has an inverse, so both "what
//     happened in this hour" and "what happened to this person" are answered
//     directly.
//   - Members are numbered, and 64 in a row are a block. What is true of them
//     (a consent, the level of activity, that a step happens to the messages of
//     a week) is drawn for the whole block: bit n of a few words is all that
//     person n needs to be above or below a chance. So people are chosen by
//     operations on words, and only those who are chosen are looked at.
//   - A rhythm says how much of a week lies before each moment of it. It has an
//     inverse as well, so things come at busy hours, in bursts or over years,
//     and are still counted without being listed.
//   - A delay moves whole slots of time, by a bijection: what happens in an hour
//     is traced back to the few slots in which the messages were sent.
//   - Time is cut in slots that hold a few hundred events on average. A view is
//     a list of such units; a window is a range of them.
//
// [Settings] shape a world: shares of channels, rates, campaigns, audiences.
// Telephone numbers, with the regions, languages and time zones that agree with
// them, are a table made of public data (testdata/ranges.csv); a test keeps it
// up to date.
//
// Times are whole seconds since 1970, UTC. The world begins on 2024-01-01:
// before that, there are people, and nothing happens to them.
package world
