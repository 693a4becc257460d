package learn_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// split are the rows of a file, an array or one with a header, and what makes a file of some of them again.
func split(t *testing.T, text string) (rows []string, join func(rows []string) string) {
	t.Helper()
	if !strings.HasPrefix(text, "[") {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		lines[len(lines)-1] += "\n"
		return lines[1:], func(rows []string) string { return lines[0] + strings.Join(rows, "") }
	}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	for _, row := range list {
		rows = append(rows, string(row))
	}
	return rows, func(rows []string) string { return "[" + strings.Join(rows, ",\n") + "]" }
}

// packed is a text compressed with gzip.
func packed(t *testing.T, text string) string {
	t.Helper()
	var into bytes.Buffer
	to := gzip.NewWriter(&into)
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return into.String()
}

// TestParts: one file compressed, in parts, or a file a day teaches what it teaches whole; and of two days of a snapshot the later.
func TestParts(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, input := range filesOf(t, embedded(t), 6, 800, world.Settings{Texture: texture.Tidy}, someKinds) {
		text, err := io.ReadAll(input.Reader)
		if err != nil {
			t.Fatal(err)
		}
		texts[input.Name] = string(text)
	}
	teaches := func(parts func(kind, text string) []string) string {
		var inputs []importer.Input
		for _, kind := range slices.Sorted(maps.Keys(texts)) {
			for _, text := range parts(kind, texts[kind]) {
				inputs = append(inputs, importer.Input{Name: kind, Reader: strings.NewReader(text)})
			}
		}
		learned, err := learn.Files(context.Background(), inputs, learn.Options{Directory: t.TempDir(), TrialProfiles: 200})
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		all.WriteString(settingsOf(learned))
		for _, compared := range learned.Comparisons() {
			fmt.Fprintf(&all, "%+v\n", compared)
		}
		return all.String()
	}
	snapshot := map[string]bool{"profiles.attributes": true, "userbase": true}
	date := regexp.MustCompile(`(?:"event_date":"|;)(\d{4}-\d\d-\d\d)T`)
	perDay := func(overlap int) func(kind, text string) []string {
		return func(kind, text string) (files []string) {
			if snapshot[kind] {
				return []string{text}
			}
			rows, join := split(t, text)
			days := map[string][]string{}
			for _, row := range rows {
				day := date.FindStringSubmatch(row)
				if day == nil {
					t.Fatalf("%s: a row has no date: %s", kind, row)
				}
				days[day[1]] = append(days[day[1]], row)
			}
			if len(days) < 20 {
				t.Fatalf("%s: only %d days", kind, len(days))
			}
			names := slices.Sorted(maps.Keys(days))
			for i := range names {
				var some []string
				for _, day := range names[max(0, i-overlap) : i+1] {
					some = append(some, days[day]...)
				}
				files = append(files, join(some))
			}
			return files
		}
	}
	older := strings.NewReplacer(`"subscribed"`, `"unsubscribed"`, ";true;", ";false;")
	whole := teaches(func(_, text string) []string { return []string{text} })
	for name, c := range map[string]struct {
		parts func(kind, text string) []string
		other bool
	}{
		"gzip of several pieces": {func(_, text string) []string {
			return []string{packed(t, text[:len(text)/2]) + packed(t, text[len(text)/2:])}
		}, false},
		"parts, of which some are compressed": {func(_, text string) []string {
			rows, join := split(t, text)
			third := len(rows) / 3
			return []string{join(rows[:third]), packed(t, join(rows[third:2*third])), join(rows[2*third:])}
		}, false},
		"a file a day":      {perDay(0), false},
		"days that overlap": {perDay(1), false},
		"an older day of snapshots": {func(kind, text string) []string {
			if snapshot[kind] {
				return []string{packed(t, older.Replace(text)), text}
			}
			return []string{text}
		}, false},
		"a later day of snapshots": {func(kind, text string) []string {
			if snapshot[kind] {
				return []string{text, packed(t, older.Replace(text))}
			}
			return []string{text}
		}, true},
		"a part is missing": {func(_, text string) []string {
			rows, join := split(t, text)
			return []string{join(rows[:len(rows)/2])}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if learned := teaches(c.parts); (learned != whole) != c.other {
				at := 0
				for at < min(len(whole), len(learned)) && whole[at] == learned[at] {
					at++
				}
				t.Errorf("want something else: %v; the whole files teach\n%.300s\nand these\n%.300s", c.other, whole[at:], learned[at:])
			}
		})
	}
}
