// Package journal remembers the requests that a mock server was sent, what it
// decided about each and why, and judges the client that sent them.
//
// A [Journal] holds the last requests, a bounded number of them, in memory. It is written on the way of every request, so writing is
// cheap: one lock and one copy. Reading never holds the lock for longer than a few hundred entries take to copy. [Judge] finds in entries
// what a client does that the specification of the export API forbids or that will cost it in production.
//
// Secrets are left out before an entry is written, see [Redact].
package journal
