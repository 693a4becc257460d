package state

import (
	"context"
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
)

// Check reads the file of a state that no server uses. It returns its faults, and says what is whole, which it writes to the new file
// save unless that is empty. An error says that the file could not be read at all.
func Check(ctx context.Context, path, save string) (faults []string, whole string, err error) {
	rescue := store.NewRescue()
	if err := errors.Join(bolt.Inspect(path, rescue), rescue.End()); err != nil {
		return nil, "", err
	}
	saved := &rescue.Snapshot
	if save != "" {
		kept, err := bolt.OpenDurable(ctx, save)
		if err == nil {
			err = errors.Join(kept.Restore(ctx, saved), kept.Close())
		}
		if err != nil {
			return nil, "", err
		}
	}
	return rescue.Faults, fmt.Sprintf("%d exports, %d settings and %d generations of the dataset are whole",
		len(saved.Records), len(saved.Settings), saved.Data.Len()), nil
}
