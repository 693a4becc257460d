package check_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// TestPartsOfOneExport cuts files as a server cuts large ones, wherever a part is full: even between rows of one second,
// or of one message. Together they are as good as the whole.
func TestPartsOfOneExport(t *testing.T) {
	var inputs []check.Input
	for _, kind := range kinds(t) {
		whole := newBook(t)
		whole.add(kind, kind, render(t, request{kind: kind, campaign: "welcome", seed: 4, profiles: 120, texture: texture.Tidy}))
		if kind[:8] != "profiles" {
			inputs = append(inputs, whole.inputs()...)
			continue
		}
		rows := whole.file(kind).rows
		for i := range 4 {
			part := &sheet{name: fmt.Sprintf("%s.%d.json", kind, i+1), kind: kind}
			for _, l := range rows[len(rows)*i/4 : len(rows)*(i+1)/4] {
				part.rows = append(part.rows, &line{sheet: part, item: l.item})
			}
			inputs = append(inputs, input(part.name, part.bytes(t)))
		}
	}
	findings, _ := run(t, inputs, check.Options{})
	clean(t, findings, "parts")
}

// TestTwiceAcrossParts: what an export tells twice is there twice, also when one part ends between the two.
func TestTwiceAcrossParts(t *testing.T) {
	for _, kind := range []string{"profiles.events", "profiles.reachability", "profiles.attributes"} {
		b := newBook(t)
		b.add("1", kind, render(t, request{kind: kind, seed: 4, profiles: 120, texture: texture.Tidy}))
		first := b.file("1")
		cut := len(first.rows) / 2
		for strings.HasPrefix(first.rows[cut].get("event_type"), "push_") { // one of two installations may have been sent the same
			cut++
		}
		for name, last := range map[string]int{"before many rows": len(first.rows), "before none": cut + 1} {
			parts := []*sheet{{name: "first", kind: kind}, {name: "second", kind: kind}}
			for i, l := range first.rows[:last] {
				if i <= cut {
					parts[0].rows = append(parts[0].rows, &line{sheet: parts[0], item: l.item})
				}
				if i >= cut {
					parts[1].rows = append(parts[1].rows, &line{sheet: parts[1], item: l.item})
				}
			}
			for _, c := range []struct {
				parts [2]int
				wants string
			}{{[2]int{1, 2}, "duplicates"}, {[2]int{7, 7}, ""}} {
				var inputs []check.Input
				for i, part := range parts {
					made := input(part.name, part.bytes(t))
					made.Kind, made.Export, made.Part = kind, "export_1", c.parts[i]
					inputs = append(inputs, made)
				}
				findings, _ := run(t, inputs, check.Options{Rules: []string{"duplicates", "tiling"}})
				switch {
				case c.wants == "" && len(findings) > 0 && findings[0].Rule != "tiling":
					t.Errorf("%s %s: one part twice: %v", kind, name, findings)
				case c.wants != "" && (len(findings) != 1 || findings[0].Rule != c.wants || findings[0].File != "second" || findings[0].Row != 1 ||
					findings[0].Other.Row != int64(cut+1)):
					t.Errorf("%s %s: %v, want one of %s", kind, name, findings, c.wants)
				}
			}
		}
	}
}

// TestManyFiles checks a file per day, and that no day's rows are missed.
func TestManyFiles(t *testing.T) {
	var inputs []check.Input
	for day := range 60 {
		from := noon.AddDate(0, 0, day-60)
		r := request{kind: "profiles.reachability", seed: 4, profiles: 300, from: from, to: from.AddDate(0, 0, 1)}
		inputs = append(inputs, input(fmt.Sprintf("day %d", day), render(t, r)))
	}
	inputs = append(inputs, input("all", render(t, request{kind: "profiles.reachability", seed: 4, profiles: 300})))
	findings, summary := run(t, inputs, check.Options{})
	clean(t, findings, "days")
	for _, verdict := range summary.Rules {
		must.Hold(t, verdict.Rule != "tiling" || verdict.Checked >= 100, "tiling was checked %d times only", verdict.Checked)
	}
}

// TestCanceled checks that a check ends when its context does.
func TestCanceled(t *testing.T) {
	files := everything(t, 1, 50)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := check.Files(ctx, library(t), files, check.Options{Directory: t.TempDir()}, func(check.Finding) bool { return true })
	must.Hold(t, errors.Is(err, context.Canceled), "a check that was canceled: %v", err)
}

// TestReportCanEnd checks that a check ends when its caller has seen enough.
func TestReportCanEnd(t *testing.T) {
	b := newBook(t)
	b.add("userbase", "userbase", render(t, request{kind: "userbase", seed: 1, profiles: 30, texture: texture.Tidy}))
	for _, l := range b.file("userbase").rows {
		l.set("is_optin_push", "perhaps")
	}
	count := 0
	summary, err := check.Files(t.Context(), library(t), b.inputs(), check.Options{}, func(check.Finding) bool {
		count++
		return false
	})
	if err != nil || count != 1 || summary.Violations() == 0 {
		t.Errorf("%d findings, %d violations, %v", count, summary.Violations(), err)
	}
	count = 0
	summary, err = check.Files(t.Context(), library(t), b.inputs(), check.Options{MaxFindings: 3}, func(check.Finding) bool {
		count++
		return true
	})
	if err != nil || count != 3 || summary.Violations() != int64(len(b.file("userbase").rows)) {
		t.Errorf("at most 3 findings: %d findings, %d violations, %v", count, summary.Violations(), err)
	}
}
