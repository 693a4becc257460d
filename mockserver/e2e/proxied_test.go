package e2e_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestSuitesThroughProxy: test suites of clients, as they are in the examples, run with a proxy between them and the server. What
// the proxy sees is what the schema files say, but for a limit that is in none: the suites have a scenario refuse creations.
func TestSuitesThroughProxy(t *testing.T) {
	t.Parallel()
	wrapper := must.Get(filepath.Abs(filepath.Join("testdata", "proxied.sh")))(t)
	for about, suite := range map[string][]string{
		"curl":       {"curl", "sh", "exports.sh"},
		"python":     {"python3", "python3", "-B", "-m", "unittest", "test_exports.py"},
		"javascript": {"node", "node", "--test", "exports.test.mjs"},
		"java":       {"javac", "java", "ExportsTest.java"},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(suite[0]); err != nil {
				testlevel.Unavailable(t, suite[0]+" is not installed")
			}
			reports := t.TempDir()
			command := exec.Command(suite[1], suite[2:]...)
			command.Dir = filepath.Join("..", "examples")
			command.Env = append(os.Environ(), "PROGRAM="+program, "MOCKSERVER="+wrapper, "REPORTS="+reports)
			if said, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			written, err := filepath.Glob(filepath.Join(reports, "*.json"))
			if err != nil || len(written) == 0 {
				t.Fatalf("%d reports, %v", len(written), err)
			}
			seen := proxied{rules: map[string]bool{}}
			for _, path := range written {
				seen.add(t, path)
			}
			if seen.known < 10 || seen.files < 2 || len(seen.rules) != 1 || !seen.rules["rate-limit"] {
				t.Errorf("the proxy has seen %+v", seen)
			}
		})
	}
}

// proxied is what proxies have seen: exchanges that the schema files know, files that were checked, and drifts.
type proxied struct {
	known, files int
	rules        map[string]bool
}

func (p *proxied) add(t *testing.T, path string) {
	t.Helper()
	report := must.Get(os.Open(path))(t)
	defer report.Close()
	ended := false
	for lines := bufio.NewScanner(report); lines.Scan(); {
		var line struct {
			Finding *struct{ Rule, Subject string }
			Summary *struct{ Known, Files int }
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		if line.Finding != nil && line.Finding.Subject != "client" { // lints are of the client
			p.rules[line.Finding.Rule] = true
		}
		if line.Summary != nil {
			ended = true
			p.known += line.Summary.Known
			p.files += line.Summary.Files
		}
	}
	must.Hold(t, ended, "the report %s has no end", path)
}
