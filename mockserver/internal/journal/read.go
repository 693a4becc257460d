package journal

import "context"

// Page is a piece of a journal.
type Page struct {
	// Entries are in the order in which the requests were answered.
	Entries []Entry
	// Next is the sequence to go on from: the Since of the next filter.
	Next uint64
	// More tells that the limit left entries out.
	More bool
}

// List returns the entries that a filter chooses, oldest first, at most limit of them; 0 means all.
func (j *Journal) List(filter Filter, limit int) Page {
	page := Page{Entries: []Entry{}}
	page.Next = j.each(0, filter, func(entry *Entry) bool {
		if limit > 0 && len(page.Entries) == limit {
			page.More = true
			return false
		}
		page.Entries = append(page.Entries, *entry)
		return true
	})
	if page.More {
		page.Next = page.Entries[len(page.Entries)-1].Sequence
	}
	return page
}

// Count counts the entries that a filter chooses.
func (j *Journal) Count(filter Filter) int {
	count := 0
	j.each(0, filter, func(*Entry) bool { count++; return true })
	return count
}

// Wait returns when the filter chooses at least count entries, or with the error of the context when that ends first; the count is right
// either way. See docs/how-to/lint-a-client.md#why-does-a-wait-that-times-out-answer-200
func (j *Journal) Wait(ctx context.Context, filter Filter, count int) (int, error) {
	found, after, cleared := 0, uint64(0), uint64(0)
	for {
		now := j.look()
		if now.cleared != cleared { // what was counted may be gone
			found, after, cleared = 0, 0, now.cleared
		}
		after = j.each(after, filter, func(*Entry) bool { found++; return true })
		if found >= count {
			return found, nil
		}
		select {
		case <-now.changed:
		case <-ctx.Done():
			return found, ctx.Err()
		}
	}
}

// Follow calls show with every entry that the filter chooses, those that are there and those to come, until show returns an error or the
// context ends, and returns that error. A reader that is too slow misses entries: gaps in the sequences tell.
func (j *Journal) Follow(ctx context.Context, filter Filter, show func(*Entry) error) error {
	after := uint64(0)
	for {
		now := j.look()
		var failed error
		after = j.each(after, filter, func(entry *Entry) bool {
			failed = show(entry)
			return failed == nil
		})
		if failed != nil {
			return failed
		}
		select {
		case <-now.changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
