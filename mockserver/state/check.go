package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
)

// Check reads the file of a state that no server uses. It returns its faults, and says what is whole, which it writes to the new file
// save unless that is empty. An error says that the file could not be read at all,
// or that the context ended; the faults are those that were found before.
func Check(ctx context.Context, path, save string) (faults []string, whole string, err error) {
	rescue := store.NewRescue()
	if err := bolt.Inspect(ctx, path, rescue); err != nil {
		return rescue.Faults, "", err
	}
	if err := rescue.End(ctx); err != nil {
		return rescue.Faults, "", err
	}
	saved := &rescue.Snapshot
	if save != "" {
		if err := write(ctx, save, saved); err != nil {
			return rescue.Faults, "", err
		}
	}
	return rescue.Faults, fmt.Sprintf("%d exports, %d settings and %d generations of the dataset are whole",
		len(saved.Records), len(saved.Settings), saved.Data.Len()), nil
}

// write makes the file of a snapshot, all of it or none: a second try finds the place free.
func write(ctx context.Context, path string, snapshot *store.Snapshot) error {
	beside, err := os.MkdirTemp(filepath.Dir(path), ".rehearsal-")
	if err != nil {
		return fmt.Errorf("state file %s: %w", path, err)
	}
	defer os.RemoveAll(beside)
	whole := filepath.Join(beside, filepath.Base(path))
	kept, err := bolt.OpenDurable(ctx, whole)
	if err == nil {
		err = errors.Join(kept.Restore(ctx, snapshot), kept.Close())
	}
	if err == nil {
		err = os.Rename(whole, path)
	}
	return err
}
