// Package world is one synthetic population, simulated forward in time: one person after another, each seeded by the seed of the world
// and the number of the person, and everything in the order in which it happens (export API sections 1 and 2).
//
// A person is created, gets addresses, consents and installations, and these change. Weeks bring messages and sessions. A message is
// sent to whoever may be written to at that moment, and is delivered, opened and clicked, or not. What falls into the window of an
// export is rendered, put in order and written.
//
// What happens depends on the person and the week alone, never on the window or the present of a file. So a simulation may begin a few
// weeks before the window, since no message lives longer than [messageLife]; adjacent windows tile; later files tell the same.
//
// A trait is a few lines in the file named after it. What users can estimate is in [Settings], what they can add to is in regions.json
// and names.json, and everything else is a constant. Times are whole seconds since 1970, UTC. Arithmetic that decides anything is of
// integers, or of floating-point products alone, so all machines make the same bytes.
package world
