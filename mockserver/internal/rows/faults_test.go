package rows_test

import (
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// partTexts are the parts of a file.
func partTexts(t *testing.T, spec exports.File) (texts []string, tags []string) {
	t.Helper()
	parts, all := partsOf(t, open(t, embedded(t), spec))
	for i, part := range parts {
		texts, tags = append(texts, string(all[i])), append(tags, part.ETag)
	}
	return texts, tags
}

// TestFaults holds the bytes of faulty files against those of good ones.
func TestFaults(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		t.Run(export.Kind, func(t *testing.T) {
			spec := wholeFile(library, export)
			spec.Profiles = 200
			if export.Format == "json" {
				spec.PartSize = 4000
			}
			good, tag := partTexts(t, spec)
			faulty := func(faults exports.Faults) []string {
				t.Helper()
				spec := spec
				spec.Faults = faults
				texts, tags := partTexts(t, spec)
				if len(texts) != len(good) && faults == (exports.Faults{Truncated: true}) || (tags[0] == tag[0]) != (texts[0] == good[0]) {
					t.Errorf("%+v: %d parts, want %d; the tag is %s", faults, len(texts), len(good), tags[0])
				}
				return texts
			}
			t.Run("byte-order mark", func(t *testing.T) {
				for i, text := range faulty(exports.Faults{ByteOrderMark: true}) {
					if !strings.HasPrefix(text, "\xef\xbb\xbf") || len(good) == 1 && text[3:] != good[i] {
						t.Errorf("part %d begins with %q", i+1, text[:10])
					}
				}
			})
			t.Run("line ends", func(t *testing.T) {
				want := good[0]
				if export.Format == "csv" {
					want = strings.ReplaceAll(want, "\n", "\r\n")
				}
				must.Equal(t, faulty(exports.Faults{CRLF: true})[0], want, "the file")
			})
			t.Run("truncated", func(t *testing.T) {
				texts := faulty(exports.Faults{Truncated: true})
				last := len(texts) - 1
				for i, text := range texts[:last] {
					must.Equal(t, text, good[i], "part %d is not the last one, and differs", i+1)
				}
				whole, cut := good[last], texts[last]
				lastRow := strings.LastIndex(strings.TrimSuffix(strings.TrimSuffix(whole, "\n]\n"), "\n"), "\n") + 1
				if !strings.HasPrefix(whole, cut) || len(cut) <= lastRow || len(cut) >= len(strings.TrimRight(whole, "]\n")) {
					t.Errorf("it ends after %d bytes of %d, the last row begins at %d", len(cut), len(whole), lastRow)
				}
			})
			t.Run("one date more", func(t *testing.T) { checkExtraDate(t, export, good[0], faulty(exports.Faults{ExtraDate: true})[0]) })
			t.Run("surprises", func(t *testing.T) {
				for kind, added := range map[string]string{exports.SurpriseColumn: "surprise\n", exports.SurpriseMember: `"surprise":"surprise"}`,
					exports.SurpriseAttribute: `"surprise":"surprise"}`, exports.SurpriseEvent: "surprise"} {
					isCSV, events := export.Format == "csv", strings.Contains(export.Kind, "events") && export.View != "installation-changes"
					due := map[string]bool{exports.SurpriseColumn: isCSV, exports.SurpriseMember: !isCSV, exports.SurpriseAttribute: export.View == "profiles",
						exports.SurpriseEvent: events || strings.HasSuffix(export.Kind, ".ids")}[kind]
					if text := faulty(exports.Faults{Surprises: exports.Surprises(kind)})[0]; strings.Contains(text, added) != due {
						t.Errorf("%s, due %v: %.300q", kind, due, text)
					}
				}
				rows := strings.Split(faulty(exports.Faults{Surprises: exports.SurpriseNull})[0], "\n")
				if first := rows[1]; !strings.HasPrefix(first, ";") && !strings.Contains(first, ":null") && !strings.Contains(first, ": null") {
					t.Errorf("the first row is %q", first)
				}
			})
			t.Run("everything at once, and nothing in it", func(t *testing.T) {
				spec, none := spec, int64(0)
				spec.MaxRows, spec.Faults = &none, exports.Faults{Truncated: true, ByteOrderMark: true, CRLF: true, ExtraDate: true}
				texts, _ := partTexts(t, spec)
				must.Hold(t, strings.HasPrefix(texts[0], "\xef\xbb\xbf") && strings.Count(texts[0], "\n") <= 2, "%q", texts)
			})
		})
	}
}

// checkExtraDate: rows have one cell more than the header, the last date twice; a file without dates is as it was.
func checkExtraDate(t *testing.T, export schemas.Export, good, faulty string) {
	t.Helper()
	header, _, _ := strings.Cut(good, "\n")
	if export.Format == "json" || !strings.Contains(header, "_date") {
		must.Equal(t, faulty, good, "a file without a column for it differs")
		return
	}
	lines := strings.Split(strings.TrimSuffix(good, "\n"), "\n")
	for i, line := range strings.Split(strings.TrimSuffix(faulty, "\n"), "\n") {
		cells := strings.Split(lines[i], ";")
		if i > 0 {
			last := 0
			for column, cell := range cells {
				if len(cell) == len("2026-03-15T10:30:00") && cell[10] == 'T' {
					last = column
				}
			}
			cells = append(cells[:last+1], cells[last:]...)
		}
		if want := strings.Join(cells, ";"); line != want {
			t.Fatalf("line %d is %q, want %q", i+1, line, want)
		}
	}
}
