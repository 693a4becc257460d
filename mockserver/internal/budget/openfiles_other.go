//go:build !unix

package budget

// connectionsFor is how many connections the limit of open files has room for.
func connectionsFor(wanted int64) int64 { return wanted }
