package e2e_test

import (
	"encoding/csv"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// naiveReaders are those that pass on a tidy file, each with whether it finds a cell that is not there.
var naiveReaders = map[string]func(text string) (fails bool){
	"splitting at semicolons": func(text string) bool {
		for line := range strings.Lines(text) {
			if strings.Contains(line, `"`) {
				return true
			}
		}
		return false
	},
	"reading line by line": func(text string) bool {
		for line := range strings.Lines(text) {
			reader := csv.NewReader(strings.NewReader(line))
			reader.Comma = ';'
			if _, err := reader.Read(); err != nil {
				return true
			}
		}
		return false
	},
	"decoding ASCII": func(text string) bool { return strings.IndexFunc(text, func(r rune) bool { return r > 127 }) >= 0 },
}

// TestOneNightIsAwkward: what a pipeline fetches every night is a few hundred rows, and has to have something for every naive reader. One
// campaign of a small sender has so many in a quarter.
func TestOneNightIsAwkward(t *testing.T) {
	t.Parallel()
	const night, quarter = "2026-03-14", "2025-12-15"
	for kind, of := range map[string]struct{ profiles, from string }{
		"campaign.events": {"20000", quarter}, "transactional.events": {"40000", quarter}, "in-app-campaign.events": {"45000", night},
		"reachability.events": {"62000", night},
	} {
		nights := 0
		for seed := range 8 {
			for _, texture := range []string{"realistic", "tidy"} {
				out, err := exec.Command(program, "generate", "--quiet", "--kind", kind, "--seed", strconv.Itoa(seed), "--profiles", of.profiles,
					"--world", "texture="+texture, "--now", "2026-03-15T12:00:00Z", "--from", of.from+"T00:00:00", "--to", "2026-03-15T00:00:00").Output()
				if err != nil {
					t.Fatal(err)
				}
				text := string(out)
				if texture == "realistic" && strings.Count(text, "\n") <= 200 {
					break // a quiet one
				}
				for name, fails := range naiveReaders {
					must.Equal(t, fails(text), texture == "realistic", "%s of seed %d, %s: %s fails", kind, seed, texture, name)
				}
				nights++
			}
		}
		must.Hold(t, nights >= 2, "%s: no night of 200 rows", kind)
	}
}
