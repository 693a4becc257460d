package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// rowsOf are the rows of a dataset that files become, with the report.
func rowsOf(t *testing.T, options importer.Options, inputs ...importer.Input) string {
	t.Helper()
	var seen strings.Builder
	options.Key, options.Directory = must.Get(pseudonym.New(pseudonym.Make()))(t), t.TempDir()
	summary, err := importer.Files(t.Context(), must.Get(schemas.Embedded())(t), inputs, options, func(_ string, row []byte) error {
		seen.Write(row)
		return nil
	})
	must.Do(t, err)
	return seen.String() + strings.Join(summary.Report(), "\n")
}

// TestAlikePseudonyms: many people whose texts have one pseudonym, such as the code of a bounce, never get the text of one of them.
func TestAlikePseudonyms(t *testing.T) {
	const many = 3 * importer.LeastPeople
	for _, form := range []string{"550 5.1.1 mailbox of lovelace%d full", "12.%d", "lovelace%d", "0.1200%d", "19%02d-02-03", "fr-lovelace%d"} {
		var events, profiles, words []string
		for n := range many {
			text := fmt.Sprintf(form, n+10)
			events = append(events, strings.Trim(planted("profiles.events", text), "[]"))
			profiles = append(profiles, strings.Trim(planted("profiles.attributes", text), "[]"))
			words = append(words, text, fmt.Sprintf("lovelace%d", n+10))
		}
		for _, coarse := range []bool{false, true} {
			seen := rowsOf(t, importer.Options{Coarse: coarse},
				importer.Input{Name: "events", Kind: "profiles.events", Reader: strings.NewReader("[" + strings.Join(events, ",") + "]")},
				importer.Input{Name: "people", Kind: "profiles.attributes", Reader: strings.NewReader("[" + strings.Join(profiles, ",") + "]")})
			for _, word := range words {
				if strings.Contains(seen, `"`+word) || strings.Contains(word, "lovelace") && strings.Contains(seen, word) {
					t.Errorf("coarse %v: %q is in %.2000s", coarse, word, seen)
					break
				}
			}
		}
	}
}

// TestSharedByPeople: one person whom two files know by another identifier each counts once.
func TestSharedByPeople(t *testing.T) {
	for people, stays := range map[int]bool{importer.LeastPeople/2 + 1: false, importer.LeastPeople: true} {
		custom, profiles := []string{}, []string{}
		for n := range people {
			row := `{"attributes":{"plan":"gold club"},"identifiers":{"profile_id":"profile_%d"%s}}`
			profiles = append(profiles, fmt.Sprintf(row, n, ""))
			custom = append(custom, fmt.Sprintf(row, n, fmt.Sprintf(`,"custom_id":"person %d"`, n)))
		}
		seen := rowsOf(t, importer.Options{},
			importer.Input{Name: "a", Kind: "profiles.attributes", Reader: strings.NewReader("[" + strings.Join(custom, ",") + "]")},
			importer.Input{Name: "b", Kind: "profiles.attributes", Reader: strings.NewReader("[" + strings.Join(profiles, ",") + "]")})
		must.Hold(t, strings.Contains(seen, "gold club") == stays, "%d people: want %v in %s", people, stays, seen)
	}
}
