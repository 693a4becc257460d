// Package api is the export API over HTTP: it turns requests into decisions of
// the domain (package exports) and decisions into responses.
//
// One table of routes (routes.go) is built from the schema library: a creation
// endpoint exists because an output schema declares it, a lookup endpoint
// because a record schema does. A handler takes a request and returns a
// response or an error; one place writes (respond.go), so every refusal has
// the native shape of its interface, or RFC 9457 when the client asks for it.
//
// The order of checks is fixed: route, credentials, plan, forced scenario,
// media type, size, JSON syntax, missing members, malformed members, dates and
// lookback, rate, create.
//
// Nothing here reads the wall clock: the virtual clock decides what is due,
// what has expired and what lies in the lookback. Only network deadlines are
// about the machine's own time.
package api
