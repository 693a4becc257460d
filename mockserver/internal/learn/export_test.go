package learn

import (
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Against compares the base that was learned from with what other files say.
func (l *Learned) Against(ctx context.Context, library *schemas.Library, files []importer.Input) ([]report.Comparison, error) {
	other, err := read(ctx, library, files, importer.Options{}, l.Least)
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, c := range l.comparisons {
		set[c.Name] = c.Set
	}
	return compare(l.base, other, l.Least, func(name string) bool { return set[name] }), nil
}

// Arrival is how rows arrive, as was learned.
func (l *Learned) Arrival() arrival.Arrival { return l.draft.arrival() }

// Settings are those that were learned, and how many profiles.
func (l *Learned) Settings() (world.Settings, int64) { return l.draft.settings(), l.draft.profiles }
