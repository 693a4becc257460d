package figures_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/bench/figures"
)

// TestARunIsComparedWithAnother: each figure is compared with that of its own place, also where columns or tables have equal names.
func TestARunIsComparedWithAnother(t *testing.T) {
	take := func(of string) []figures.Cell {
		taken := figures.Tables{Out: io.Discard}
		taken.Begin("scale")
		for part := of; part != ""; { // as writers do, in pieces
			piece := part[:min(7, len(part))]
			if _, err := io.WriteString(&taken, piece); err != nil {
				t.Fatal(err)
			}
			part = part[len(piece):]
		}
		file := filepath.Join(t.TempDir(), "figures.json")
		if err := taken.Save(file); err != nil {
			t.Fatal(err)
		}
		read, err := figures.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	const head = "\npeople\tfirst byte, ms\tfirst byte, ms\tof the floor\n"
	before := take(head + "10000\t2.0\t8.0\t0.50, at least 0.40: met\n\nexports\tms\n10000\t3\na remark\n")
	after := take(head + "10000\t1.0\t2.0\t0.25, at least 0.40: missed\n\nexports\tms\n10000\t3\n")
	if met := after[2].Met; met == nil || *met || *before[2].Met != true || before[0].Met != nil {
		t.Errorf("whether aims are met: %+v and %+v", before, after)
	}
	var out bytes.Buffer
	if err := figures.Compare(&out, before, after); err != nil {
		t.Fatal(err)
	}
	var ratios []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		fields := strings.Fields(line)
		ratios = append(ratios, fields[len(fields)-1])
	}
	if got := strings.Join(ratios, " "); got != "0.50 0.25 0.50 1.00" {
		t.Errorf("the ratios are %s:\n%s", got, &out)
	}
}
