package schemas_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestRowCheckReadsCells: cells with quotes, separators and line ends are those that were written.
func TestRowCheckReadsCells(t *testing.T) {
	library := need(schemas.Embedded())(t)
	at := slices.IndexFunc(library.Exports(), func(e schemas.Export) bool { return e.Kind == "userbase" })
	export := library.Exports()[at]
	header := []string{"install_id", "custom_id"}
	check := library.RowCheck(export, header)
	for _, cell := range []string{"plain", `a "quoted"; cell`, "", `""`, "a\nb", `"`, ";", "é"} {
		var text strings.Builder
		writer := csv.NewWriter(&text)
		writer.Comma = ';'
		must(t, writer.Write([]string{"phone-1", cell}))
		writer.Flush()
		wrong := check([]byte(text.String()))
		hold(t, wrong != nil && strings.Contains(wrong.Error(), "required"), "%q: %v", cell, wrong)
	}
	if wrong := check([]byte("a;b;c\n")); wrong == nil || !strings.Contains(wrong.Error(), "3 cells") {
		t.Errorf("a cell too many: %v", wrong)
	}
}
