package check_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer := gzip.NewWriter(&buffer)
	must.Get(writer.Write(data))(t)
	must.Do(t, writer.Close())
	return buffer.Bytes()
}

// What is there of a damaged file is checked, the other files as well, and the damage is a finding.
func TestDamagedFilesAreCheckedAsFarAsTheyGo(t *testing.T) {
	events := render(t, request{kind: "campaign.events", campaign: "spring", seed: 3, profiles: 2_000})
	changes := render(t, request{kind: "profiles.reachability", seed: 3, profiles: 400})
	whole := packed(t, events)
	broken := bytes.Clone(whole)
	broken[len(broken)-6] ^= 0xff // of the checksum
	mark := []byte("\xef\xbb\xbf")
	for name, c := range map[string]struct {
		data    []byte
		message string
	}{
		"cut.csv.gz":     {whole[:len(whole)/2], "the compressed data end too early"},
		"no end.csv.gz":  {whole[:len(whole)-4], "the compressed data end too early"},
		"broken.csv.gz":  {broken, "the compressed data are damaged"},
		"marked.json":    {append(bytes.Clone(mark), changes...), "byte order mark"},
		"marked.json.gz": {packed(t, append(bytes.Clone(mark), changes...)), "byte order mark"},
	} {
		other := render(t, request{kind: "userbase", seed: 3, profiles: 400})
		findings, summary := run(t, []check.Input{input(name, c.data), input("userbase.csv", other)}, check.Options{Now: noon})
		found := false
		for _, finding := range findings {
			found = found || strings.Contains(finding.Message, c.message) && finding.Rule == "schema" && finding.File == name && finding.Line > 0
		}
		must.Hold(t, found, "%s: %v, want one with %q", name, findings, c.message)
		for i, file := range summary.Files {
			must.Hold(t, file.Rows >= 90, "%s: file %d has %d rows, want those that can be read", name, i, file.Rows)
		}
	}
}

// A file that is no export is named once, with what to do about it.
func TestWhatIsNoExportIsNamedOnce(t *testing.T) {
	for data, message := range map[string]string{"": "it is empty", "a,b\n1,2\n": "--kind"} {
		_, err := check.Files(context.Background(), library(t), []check.Input{input("x.csv", []byte(data))}, check.Options{Now: noon}, nil)
		var unknown *check.KindError
		if !errors.As(err, &unknown) || strings.Count(err.Error(), "x.csv") != 1 || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v, want x.csv once and %q", data, err, message)
		}
	}
}

// TestMomentOfAFileWithAWindow: a moment is said of snapshots, and files of other kinds are refused with what to say instead.
func TestMomentOfAFileWithAWindow(t *testing.T) {
	for _, kind := range kinds(t) {
		shown := input(kind, render(t, request{kind: kind, campaign: "welcome", profiles: 5}))
		shown.From, shown.To, shown.Moment = time.Time{}, noon, true
		_, err := check.Files(context.Background(), library(t), []check.Input{shown}, check.Options{Now: noon}, nil)
		var unfit *check.KindError
		switch snapshot := kind == "userbase" || kind == "profiles.attributes"; {
		case snapshot && err != nil:
			t.Errorf("%s: %v", kind, err)
		case !snapshot && (!errors.As(err, &unfit) || unfit.File != kind || !strings.Contains(unfit.Message, kind) ||
			!strings.Contains(unfit.Message, "--window FILE=FROM/TO")):
			t.Errorf("%s: %v, want what to write instead", kind, err)
		}
	}
}
