package dataset

import (
	"context"
	"errors"
)

// removeParts takes the rows out of the parts of a load that has failed. What
// fails here is left over, and shows nothing.
func (l *Log) removeParts(ctx context.Context, stored []int64) {
	for range maxRaces {
		if l.catchUp(ctx) != nil {
			return
		}
		// The batch that they belong to may have been stored, and only the answer lost:
		// what takes the next number knows of all before it.
		switch err := l.store.AppendData(ctx, l.epoch.Load(), l.generation+1, []byte(noPart)); {
		case errors.Is(err, ErrBehind):
			continue
		case err != nil:
			return
		}
		var left []int64
		for _, part := range stored {
			if l.parts[part] {
				left = append(left, part)
			}
		}
		_ = l.store.ReplaceData(ctx, left, []byte(noPart))
		return
	}
}
