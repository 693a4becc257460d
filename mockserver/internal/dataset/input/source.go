package input

import "context"

// Source gives rows, in their order, as often as it is asked.
type Source interface {
	// Each calls visit with some rows at a time.
	Each(ctx context.Context, visit func([]Row) error) error
}

// Rows is a source that is in memory.
type Rows []Row

// Each implements [Source].
func (r Rows) Each(_ context.Context, visit func([]Row) error) error {
	if len(r) == 0 {
		return nil
	}
	return visit(r)
}
