package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Dataset is what a State shows of the rows of a user.
type Dataset struct {
	// People are the synthetic population, which rows must not change.
	People  *world.World
	Library *schemas.Library
	// Files is the directory of the dataset; nil is what the store remembers.
	Files fs.FS
	// Mode is how it is shown; empty is what the store remembers.
	Mode dataset.Mode
}

// openData opens the dataset of the store and begins with that of the options.
func (s *State) openData(ctx context.Context, o *Options) (err error) {
	if s.data, err = dataset.OpenIn(ctx, o.Blocks, s.store, o.People); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	added := int64(0)
	s.data.Progress = func(rows int64) {
		if rows/rowsBetweenNotes > added {
			added = rows / rowsBetweenNotes
			s.logger.Info("indexing the dataset", "rows", rows)
		}
	}
	defer func() { s.data.Progress = nil }()
	return s.BeginData(ctx, o.Dataset)
}

// BeginData begins with a dataset, at the start and when its files have changed. One with the
// same rows as before keeps the rows that were loaded since.
func (s *State) BeginData(ctx context.Context, begin Dataset) error {
	var (
		rows   input.Source
		digest string
	)
	if begin.Files != nil {
		if err := s.fits(begin.Files); err != nil {
			return fmt.Errorf("data: %w", err)
		}
		directory, err := input.OpenDirectory(begin.Library, begin.Files)
		if err == nil {
			digest, err = directory.Digest()
		}
		if err != nil {
			return fmt.Errorf("data: %w", err)
		}
		directory.Fits = s.budgets.Of(budget.DataRows).Fits
		noted := int64(0)
		directory.Progress = func(rows int64, done float64) {
			if rows/rowsBetweenNotes > noted {
				noted = rows / rowsBetweenNotes
				s.logger.Info("reading the dataset", "rows", rows, "done", fmt.Sprintf("%.0f%%", 100*done))
			}
		}
		rows = directory
	}
	before, err := s.data.Draw(ctx, begin.People)
	if err != nil {
		return err
	}
	if err := s.data.Begin(ctx, rows, digest, begin.Mode, s.Now()); err != nil {
		_, undo := s.data.Draw(ctx, before)
		return errors.Join(fmt.Errorf("data: %w", err), undo)
	}
	return nil
}

// RowFactor is how much temporary disk a byte of rows takes at least: as it is sent, and as it is read.
const RowFactor = 2

// fits refuses files that are larger than a dataset may be, or than disks have room for, before they are read.
func (s *State) fits(files fs.FS) error {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return err
	}
	total := int64(0)
	for _, entry := range entries {
		information, err := fs.Stat(files, entry.Name())
		if err != nil {
			return err
		}
		if information.Mode().IsRegular() {
			total += information.Size()
		}
	}
	if err := s.budgets.Of(budget.Data).Fits(total); err != nil {
		return err
	}
	return s.Holds("the dataset is not read", 0, RowFactor*total)
}

// rowsBetweenNotes is how often a long load tells that it goes on.
const rowsBetweenNotes = 1_000_000

// Data is what exports of a key show of a dataset: of its own, if it has one, and
// otherwise of that of the server, which is also that of no key.
func (s *State) Data(ctx context.Context, key string) (dataset.Status, error) {
	status, err := s.data.Of(key).Current(ctx)
	if err != nil {
		return dataset.Status{}, fmt.Errorf("reading the dataset: %w", err)
	}
	return status, nil
}

// HasData tells whether a key shows a dataset of its own.
func (s *State) HasData(key string) bool { return s.data.Of(key).Own() }

// ShowData lets a file of a key show its dataset as it is now.
func (s *State) ShowData(ctx context.Context, key string, file *exports.File) error {
	status, err := s.Data(ctx, key)
	if err != nil {
		return err
	}
	file.DataGeneration, file.DataOnly = status.Generation, status.Mode == dataset.Only
	return nil
}

// Epoch is that of the state which everything here is of. A request that creates an export asks for it first, and then for the rest.
func (s *State) Epoch() int64 { return s.epoch.Load() }

// Replaced waits for a replacement of the state that is under way, and reports whether an epoch is over, or a key was emptied since.
func (s *State) Replaced(ctx context.Context, epoch, emptied int64) (bool, error) {
	s.awaitReplacement()
	err := s.Refresh(ctx) // after one by another server
	return s.Epoch() != epoch || s.Emptied() != emptied, err
}

// awaitReplacement returns after a running replacement of the state by this server.
func (s *State) awaitReplacement() {
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
}

// Create stores an export with the present dataset of its key, in the state that it was made in: otherwise the error is
// [dataset.ErrReplaced].
func (s *State) Create(ctx context.Context, record *exports.Record, token *store.Token) error {
	if err := s.ShowData(ctx, record.Owner, &record.File); err != nil {
		return err
	}
	return s.store.Insert(ctx, record, token)
}

// Attributes are the names of the custom attributes that a key's dataset has.
func (s *State) Attributes(key string) []string { return s.data.Of(key).Attributes() }

// NewSpool is an empty spool for rows that LoadData gets.
func (s *State) NewSpool() *input.Spool { return s.data.NewSpool() }

// LoadData loads rows for a key, or for the server, all or none of them. An event without a date happens by the clock of the key. The
// work of the spool ends the checks; a client that has gone away does not stop what comes after them halfway. The same holds for the
// other changes.
func (s *State) LoadData(ctx context.Context, key string, rows *input.Spool) (dataset.Status, error) {
	return s.data.Of(key).Load(context.WithoutCancel(ctx), rows, s.NowOf(key))
}

// SetDataMode says what a key shows beside its dataset.
func (s *State) SetDataMode(ctx context.Context, key string, mode dataset.Mode) (dataset.Status, error) {
	return s.data.Of(key).SetMode(context.WithoutCancel(ctx), mode, s.NowOf(key))
}

// ResetData takes the server back to the dataset that it began with, and a key back to that of the server.
func (s *State) ResetData(ctx context.Context, key string) (dataset.Status, error) {
	return s.data.Of(key).Reset(context.WithoutCancel(ctx), s.NowOf(key))
}

// DataAt is what there was in a generation.
func (s *State) DataAt(ctx context.Context, generation int64) (*dataset.Snapshot, error) {
	return s.data.At(ctx, generation)
}

// Stop ends what goes on for no request: the reading of what other servers loaded. It is for the end.
func (s *State) Stop() { s.data.Stop() }

// DataRows is how many rows the store keeps: of all loads, also of those that later ones have replaced, for older exports show them.
func (s *State) DataRows(ctx context.Context) int64 {
	// An error is told to a request that loads rows.
	_, _ = s.Data(ctx, "") // for the loads of other servers
	return s.data.Rows()
}
