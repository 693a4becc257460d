package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestReadersOfGo holds what docs/explanation/awkward-values.md says of the readers of Go. Those of Python have a test in
// mockserver/conformance/readers.
func TestReadersOfGo(t *testing.T) {
	t.Parallel()
	text := must.Get(exec.Command(program, "generate", "--quiet", "--kind", "userbase", "--profiles", "60000", "--world", "texture=hostile",
		"--now", zoned(noon), "--out", "-").Output())(t)
	if !bytes.Contains(text, []byte("\r\n")) {
		t.Fatal("no cell has a carriage return and a line feed")
	}
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comma = ';'
	rows := must.Get(reader.ReadAll())(t)
	if slices.ContainsFunc(rows, func(row []string) bool { return strings.Contains(row[1], "\r\n") }) {
		t.Error("encoding/csv keeps a carriage return before a line feed: the page says that it does not")
	}
	for _, c := range []struct {
		most int
		want error
	}{{bufio.MaxScanTokenSize, bufio.ErrTooLong}, {1 << 20, nil}} {
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, c.most)
		for lines.Scan() {
		}
		if !errors.Is(lines.Err(), c.want) {
			t.Errorf("a scanner of lines of %d bytes ends with %v, want %v", c.most, lines.Err(), c.want)
		}
	}
}
