package importer_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// own is a library with rows of its own: a new column of the product is none of these tests'.
func own(t testing.TB) *schemas.Library {
	t.Helper()
	library := must.Get(schemas.Open(os.DirFS("../../../schemas/testdata/own")))(t)
	return library
}

// TestCutFiles: of a file that was cut off it is said where, and no overlay is advised.
func TestCutFiles(t *testing.T) {
	library := own(t)
	const (
		csv  = "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\na1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"
		json = `[{"api_key":"k","event_date":"2026-01-31T08:30:00Z","event_type":"sms_sent","identifiers":{"profile_id":"profile_1"}}`
	)
	for name, c := range map[string]struct{ kind, text, says, not string }{
		"CSV":                  {"userbase", csv + "a2;bob;;tr", ":3:1: the file ends too early, on line 3", "overlay"},
		"CSV in a quoted cell": {"userbase", csv + "a2;\"bo", "the file ends too early, on line 3", "overlay"},
		"CSV in a last value": {"campaign.events", "install_id;event_date;event_type\na1;2026-01-01T00:00:00;push_se",
			"on line 2, without a line break: it may be cut off", ": : "},
		"JSON":              {"profiles.events", json + ",\n{\"api_", "the file ends too early, on line 2", "overlay"},
		"JSON between rows": {"profiles.events", json, "the file ends too early, on line 1", "overlay"},
		"a short row inside": {"userbase", csv + "a2;bob\na3;eve;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n", "the row has 2 cells",
			"ends too early"},
		"a row that differs": {"userbase", csv + "a2;bob;;perhaps;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n", "in an overlay (--schemas)",
			"cut off"},
		"a column that is new": {"userbase", strings.Replace(csv, "smart_segment", "smart_segment;colour", 1), "in an overlay (--schemas)",
			"cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			inputs := []importer.Input{{Name: "cut", Kind: c.kind, Reader: strings.NewReader(c.text)}}
			_, err := importer.Files(context.Background(), library, inputs, importer.Options{Directory: t.TempDir()},
				func(string, []byte) error { return nil })
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), c.not) ||
				strings.Contains(err.Error(), ": : ") {
				t.Errorf("%v: want %q, and not %q", err, c.says, c.not)
			}
		})
	}
}
