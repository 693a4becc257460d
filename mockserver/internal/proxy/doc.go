// Package proxy stands between a client and a service and passes everything on
// as it came, while it keeps a copy of what was said for those who judge it.
//
// Nothing is added, decoded or renamed: no forwarding headers, no compression of its own, no guessed media type. What HTTP/1.1 in Go
// cannot keep is named in docs/how-to/real-account.md. Bodies stream; of each, a copy is kept in memory up to a bound and in a temporary
// file beyond it.
package proxy
