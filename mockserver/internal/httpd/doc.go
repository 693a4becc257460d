// Package httpd is the transport of the mock server: it finds the route of a request, calls its handler, and is the one place that writes
// answers. It knows no handler; the packages that have some hand over a table of [Route]s.
//
// A handler takes a [Request] and returns a [Response] or an error. A
// *[exports.Refusal] is answered in the native shape of the interface that was
// asked; any other error is unexpected: it is logged, and answered as SERVER_ERROR.
//
// Nothing here reads the wall clock but for network deadlines, which are about the machine and never about the virtual clock.
package httpd
