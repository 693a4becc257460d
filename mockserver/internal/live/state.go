// Package live owns what a running server remembers beyond its exports: the clocks, the scenarios that were set, the dataset, the secret
// that signs links, and up to which revision of the store all of them are.
//
// Everything is kept in the store first and in memory after it, so that it survives a restart and is shared by servers with one store.
//
// Lock order: refresh, then clocks, then scenarios or emptied keys. The dataset, the links and the store lock themselves, below all of
// these. Called while some of them are held, and therefore not calling back into this package:
//   - what OnReplaced was given, with refresh and clocks: it locks files.Files and
//     the callbacks, and asks the store;
//   - what OnEmptied was given, with emptied keys: it locks the journal;
//   - changes of settings, with the lock of their kind and that of the store: they
//     read clocks, which needs no lock, and must not ask the store.
package live

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// LinkSecretSetting is the setting of the store that keeps the secret that signs links.
const LinkSecretSetting = "link-secret"

// Options are what a State begins with.
type Options struct {
	Store store.Store
	Dataset
	// Random makes the key that signs links if the store keeps none yet, and the numbers that make links differ.
	Random io.Reader
	// Now is the clock of the machine, under the clocks.
	Now func() time.Time
	// StartAt is what the clock shows at first and after a reset; the zero time
	// is what the store remembers, and after a reset the time of the machine.
	StartAt time.Time
	// Blocks are where the dataset keeps what it derives; nil is in memory.
	Blocks blocks.Store
	Logger *slog.Logger
	// Budgets are what the server may use; nil means the defaults.
	Budgets *budget.Set
}

// State is what a running server remembers. It is safe for concurrent use.
type State struct {
	store  store.Store
	clocks *clock.Clocks
	datasets
	links   *links.Signer
	startAt time.Time
	// replaced is called when the exports of the store were replaced.
	replaced func()

	scenarios scenarioSet
	emptied   emptiedSet
	clockLock sync.Mutex // keeps a change of a clock and its record in the store together
	// keptClocks are the clocks of keys as this server has stored them last; to read a thousand takes time.
	keptClocks []byte

	// epoch is that of the store when all of this was read from it.
	epoch        atomic.Int64
	refreshLock  sync.RWMutex
	lastRevision store.Revision
	room
}

// datasets are the dataset of the server and those of keys.
type datasets struct {
	data   *dataset.Log
	logger *slog.Logger
}

// Open reads what the store remembers and begins with what the options say. Opening is quick and must not be given up halfway.
func Open(ctx context.Context, o Options) (*State, error) {
	if o.Budgets == nil {
		var err error
		if o.Budgets, err = budget.New(budget.Limits{}); err != nil {
			return nil, err
		}
	}
	if o.Blocks == nil {
		o.Blocks = blocks.Memory()
	}
	random := make([]byte, 40)
	if _, err := io.ReadFull(o.Random, random); err != nil {
		return nil, fmt.Errorf("drawing the key for links: %w", err)
	}
	secret, err := o.Store.InitSetting(ctx, LinkSecretSetting, random[:32])
	if err != nil {
		return nil, fmt.Errorf("state: keeping the key for links: %w", err)
	}
	s := &State{
		store: o.Store, links: links.New(secret, binary.BigEndian.Uint64(random[32:])), startAt: o.StartAt,
		replaced: func() {}, emptied: emptiedSet{forget: func(string) {}},
		datasets: datasets{logger: o.Logger},
		room:     room{now: o.Now, state: directoryOf(o.Store), temporary: directoryOf(o.Blocks), budgets: o.Budgets},
	}
	s.scenarios.store = o.Store
	if s.lastRevision, err = o.Store.Revision(ctx); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	states, err := clockStates(ctx, o.Store)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	s.clocks = clock.NewClocks(o.Now, states)
	if !o.StartAt.IsZero() {
		if err := s.startClock(ctx, o.StartAt); err != nil {
			return nil, err
		}
	}
	if err := s.warnSetBack(ctx, o.Logger); err != nil {
		return nil, err
	}
	if err := s.scenarios.load(ctx); err != nil {
		return nil, err
	}
	if err := s.emptied.load(ctx, o.Store); err != nil {
		return nil, err
	}
	if err := s.openData(ctx, &o); err != nil {
		return nil, err
	}
	s.epoch.Store(s.data.Epoch())
	return s, nil
}

// OnReplaced sets what is called when the exports of the store were replaced by others. It is for the time before the first request.
func (s *State) OnReplaced(call func()) { s.replaced = call }

// Now is what the common clock shows.
func (s *State) Now() time.Time { return s.clocks.Common().Now() }

// NowOf is what the clock of a key shows.
func (s *State) NowOf(key string) time.Time { return s.clocks.Of(key).Now() }

// SignLink returns the query of a new link to a file, which works until an instant.
func (s *State) SignLink(file string, end time.Time) string { return s.links.Sign(file, end) }

// VerifyLink checks the query of a link to a file, as [links.Signer.Verify] does.
func (s *State) VerifyLink(file string, query url.Values, now time.Time) error {
	return s.links.Verify(file, query, now)
}

// errAbsent ends a change of a setting that is not there.
var errAbsent = errors.New("there is no such setting")

// Writable says why the store cannot be written; nil if it can. It writes what is there already: only that finds a full disk, and a
// database that can only be read. What is written must also be found again after a restart.
func (s *State) Writable(ctx context.Context) error {
	err := s.store.UpdateSetting(ctx, LinkSecretSetting, func(secret []byte) ([]byte, error) {
		if len(secret) == 0 {
			return nil, errAbsent
		}
		return secret, nil
	})
	if err != nil && !errors.Is(err, errAbsent) {
		return err
	}
	return s.store.Check(ctx)
}
