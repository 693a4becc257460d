package rows_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestMembersAreDrawnTogether: a condition between columns holds in every row, whichever keyword says it, and one that rows of the world
// cannot meet ends the file, however rare they are. Faults of the file around the rows change no row.
func TestMembersAreDrawnTogether(t *testing.T) {
	const tier, discount = `"c0": {"enum": ["gold", "none"]}, `, `"c1": {"enum": ["10", "0"]}, `
	const gold = `{"properties": {"c0": {"const": "gold"}}, "required": ["c0"]}`
	const ten, notTen = `{"properties": {"c1": {"const": "10"}}}`, `{"properties": {"c1": {"not": {"const": "10"}}}}`
	for about, c := range map[string]struct {
		rule  string
		unfit bool
	}{
		"if":                {`"allOf": [{"if": ` + gold + `, "then": ` + ten + `, "else": ` + notTen + `}]`, false},
		"not":               {`"not": {"allOf": [` + gold + `, ` + ten + `]}`, false},
		"dependentSchemas":  {`"dependentSchemas": {"c0": {"anyOf": [{"not": ` + gold + `}, ` + ten + `]}}`, false},
		"patternProperties": {`"patternProperties": {"^c0$": {"const": "none"}}`, false},
		"a world's column": {`"allOf": [{"if": {"properties": {"is_optin_push": {"const": "true"}}}, "then": ` + ten + `, "else": ` + notTen +
			`}]`, false},
		"one in hundreds": {`"not": {"properties": {"last_start_date": {"pattern": "7:00$"}}}`, true},
		"never":           {`"not": {}`, true},
	} {
		t.Run(about, func(t *testing.T) {
			library, err := schemas.Open(overlay(t, embedded(t), "legacy/userbase.row.json", `"properties": {`,
				`"properties": {`+tier+discount, `"required": [`, `"required": ["c0", "c1", `, `"x-csv": {`, c.rule+`, "x-csv": {`))
			if err != nil {
				t.Fatal(err)
			}
			for _, export := range library.Exports() {
				if export.Kind != "userbase" {
					continue
				}
				spec := wholeFile(library, export)
				spec.Profiles = 3000
				var out bytes.Buffer
				_, err := open(t, library, spec).WriteTo(&out)
				if unfit := new(rows.UnfitError); errors.As(err, &unfit) != c.unfit || err != nil && !c.unfit {
					t.Fatalf("%v", err)
				}
				if c.unfit {
					continue
				}
				for _, faults := range []exports.Faults{{Truncated: true},
					{ByteOrderMark: true, CRLF: true, Surprises: exports.SurpriseStatus}} {
					spec.Faults = faults
					_, texts := partsOf(t, open(t, library, spec))
					got := bytes.ReplaceAll(bytes.TrimPrefix(texts[0], []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
					if !bytes.HasPrefix(out.Bytes(), got) || (len(got) < out.Len()) != faults.Truncated {
						t.Errorf("%+v: other rows: %.300q", faults, got)
					}
				}
				summary := must.Get(library.CheckFile(export.Output, &out, func(fault schemas.Fault) bool {
					t.Errorf("%v", fault)
					return true
				}))(t)
				must.Hold(t, summary.Rows >= 1000, "%d rows", summary.Rows)
			}
		})
	}
}
