// Package files reads what a user names on the command line, and writes files that appear under their names only when they are complete.
package files
