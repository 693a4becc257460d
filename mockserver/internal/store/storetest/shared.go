package storetest

import (
	"context"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
)

// Shared is a store in memory that several servers use, as they do a database, and that can be away.
type Shared struct {
	*store.State
	away atomic.Pointer[error]
}

// NewShared is an empty store.
func NewShared() *Shared {
	return &Shared{State: store.On(sharedEngine{memory.NewEngine(blocks.Memory())})}
}

type sharedEngine struct{ *memory.Engine }

// Shared implements [store.Engine].
func (sharedEngine) Shared() bool { return true }

// Away lets questions about changes fail, or with nil no longer.
func (s *Shared) Away(err error) { s.away.Store(&err) }

// Revision implements [store.Store].
func (s *Shared) Revision(ctx context.Context) (store.Revision, error) {
	if away := s.away.Load(); away != nil && *away != nil {
		return store.Revision{}, *away
	}
	return s.State.Revision(ctx)
}
