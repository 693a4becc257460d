// Package world is one synthetic population: profiles, their installations,
// the messages sent to them and the changes of their consent. Every export is
// a view of it (export API sections 1 and 2).
//
// Nothing is stored and nothing is drawn in sequence. Every value is a
// function of the seed and of what it belongs to (profile 17, message 4 of
// week 2,900), so any part of any view can be made alone, on any machine, with
// the same result, and the same person is the same in every file.
//
// Three ideas carry it:
//
//   - An identifier is a bijection of an index: it is recomputed, never looked
//     up.
//   - A keyed permutation says who is in an audience, who is written to at
//     which moment of a week, and who changes a consent in which month. It has
//     an inverse, so both "what happened in this hour" and "what happened to
//     this person" are answered directly.
//   - Time is cut in slots that hold a few hundred events at most. A view is a
//     list of such units; a window is a range of them.
//
// Times are whole seconds since 1970, UTC. The world begins on 2024-01-01:
// before that, nothing happens in it.
package world
