// Package exports is the domain of the mock export server: what an export request is, how it moves from CREATED to SUCCESS or ERROR, what
// a test may force it to do, and how long its file lives.
//
// A [Planner] turns a valid payload into the [File] it asks for, and a [Refusal] says why a request is not served.
//
// Nothing here runs in the background. The status of an export is computed from its [Record] and an instant of the clock, so a restart, a
// lost worker or a clock that is set by hand can never leave an export stuck.
//
// The package knows neither HTTP nor storage: both are built on it.
package exports

//go:generate go run ./generate ../../../web/playground/src/exports/request/parts.ts
