package store

import (
	"context"
	"sync"
	"time"
)

// Layouts keeps how files are laid out, beside the records of their exports: what one
// server has found, another one, or the same after a restart, need not find again. What
// a layout says is no business of the store. It goes with its record, and is in no
// snapshot, since it can be made again.
type Layouts interface {
	// ClaimLayout returns the layout of the file of an export, if it is kept. Otherwise it
	// is for the owner to make, unless another one has claimed it less than a lease ago. To
	// claim it again renews the lease; with no lease, nothing is claimed. An export that is
	// not there is ErrNotFound.
	ClaimLayout(ctx context.Context, id, owner string, lease time.Duration) (layout []byte, claimed bool, err error)

	// KeepLayout keeps a layout that was claimed, and ends the claim; nil only ends it. An
	// export that is not there is ErrNotFound.
	KeepLayout(ctx context.Context, id, owner string, layout []byte) error
}

// Claims are the claims of layouts in a store that only one process uses. They end with
// it. The zero value has none, and it is safe for concurrent use.
type Claims struct {
	lock   sync.Mutex
	claims map[string]claim
}

type claim struct {
	owner string
	ended <-chan time.Time
}

// Take claims a layout for as long as a lease, and reports whether no other owner has.
func (c *Claims) Take(id, owner string, lease time.Duration) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	if held, is := c.claims[id]; is && held.owner != owner {
		select {
		case <-held.ended:
		default:
			return false
		}
	}
	if c.claims == nil {
		c.claims = map[string]claim{}
	}
	c.claims[id] = claim{owner, time.After(lease)}
	return true
}

// End ends the claim of an owner.
func (c *Claims) End(id, owner string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.claims[id].owner == owner {
		delete(c.claims, id)
	}
}
