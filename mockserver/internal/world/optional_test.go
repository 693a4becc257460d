package world_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// An optional text is the text where there is one, and nothing where there is none.
func TestOptionalTextsAreTheTextsThatAreThere(t *testing.T) {
	w, err := world.NewWith(2, 3_000, world.Settings{Texture: texture.Tidy})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{vocabulary.ViewInstallations, vocabulary.ViewInstallationChanges, vocabulary.ViewInstallationMessages, vocabulary.ViewProfiles} {
		view := open(t, w, query(name))
		for _, source := range []string{vocabulary.AdvertisingID, vocabulary.CustomID} {
			fact, _ := w.Fact(source, world.Scope{View: view})
			if fact.Hints.Optional == nil {
				t.Fatalf("%s has no optional text", source)
			}
			there, missing := 0, 0
			for _, row := range rowsOf(view) {
				again := row
				got, want := string(fact.Hints.Optional(nil, &row)), ""
				if missing++; !fact.Absent(&again) {
					want = string(fact.Text(nil, &again))
					there, missing = there+1, missing-1
				}
				if got != want {
					t.Fatalf("%s: %s of profile %d is %q, want %q", name, source, row.Profile, got, want)
				}
			}
			if missing == 0 || there == 0 && name != vocabulary.ViewProfiles {
				t.Errorf("%s: %s is there in %d rows and missing in %d", name, source, there, missing)
			}
		}
	}
}
