//go:build !linux

package sqlite

import "os"

// lockInode does nothing: this system has no locks that SQLite would neither meet
// nor lose. The lock file keeps others out while the state has its name.
func lockInode(string) (*os.File, error) { return nil, nil }
