package control

import (
	"maps"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// checkRecord refuses a record of a snapshot with values that no server gives out, beyond what the schema of a snapshot says: the work of
// a file is bounded by what its record says, so that is bounded here. at is its place, batches are those of the dataset in the snapshot.
func (a *API) checkRecord(at string, record *exports.Record) error {
	file := &record.File
	dates := map[string]*time.Time{"/created_at": &record.CreatedAt, "/started_at": record.StartedAt, "/completed_at": record.CompletedAt,
		"/file/now": &file.Now}
	if file.Window != (exports.Window{}) { // a snapshot has none
		dates["/file/window/from"], dates["/file/window/to"] = &file.Window.From, &file.Window.To
	}
	for _, member := range slices.Sorted(maps.Keys(dates)) {
		if dates[member] == nil {
			continue
		}
		if err := checkInstant(at+member, *dates[member]); err != nil {
			return err
		}
	}
	if err := file.Settings.Check(); err != nil {
		return exports.RefuseMember(at+"/file/settings", "settings", "the settings of the world are not usable: %v", err)
	}
	kinds := a.Library.Exports()
	place := slices.IndexFunc(kinds, func(export schemas.Export) bool { return export.Kind == record.Kind })
	if place < 0 {
		return exports.RefuseMember(at+"/kind", "enum",
			"kind is %q, which this server does not know; it may need the schemas of the server that took the snapshot (--schemas)",
			exports.Shorten(record.Kind))
	}
	kind := kinds[place]
	if file.Kind != record.Kind || record.Interface != kind.Interface {
		return exports.RefuseMember(at+"/file/kind", "const",
			"the file is of the kind %q and the export of %q, of the interface %s; a file has the kind of its export, which is one of the interface %s",
			exports.Shorten(file.Kind), record.Kind, record.Interface, kind.Interface)
	}
	// A digest that is not this one belongs to a file that is never made.
	if oldest := file.Now.Add(-kind.Lookback - time.Second); kind.Lookback > 0 && file.SchemaDigest == kind.Digest &&
		file.Window.From.Before(oldest) {
		return exports.RefuseMember(at+"/file/window/from", "lookback",
			"the window begins at %s, before the lookback of %d days that ends at %s; it must not begin before %s",
			file.Window.From.UTC().Format(time.RFC3339), int(kind.Lookback.Hours()/24), file.Now.UTC().Format(time.RFC3339),
			oldest.UTC().Format(time.RFC3339))
	}
	return nil
}

// checkInstant refuses an instant that no clock of a server shows.
func checkInstant(at string, instant time.Time) error {
	if instant.Before(clock.Earliest) || instant.After(clock.Latest) {
		return exports.RefuseMember(at, "range", "the instant is %s; it must be from %s to %s, which is what the clock shows",
			instant.UTC().Format(time.RFC3339), clock.Earliest.Format(time.RFC3339), clock.Latest.Format(time.RFC3339))
	}
	return nil
}
