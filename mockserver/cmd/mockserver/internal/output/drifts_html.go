package output

import (
	"cmp"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

//go:embed drifts.html
var driftsPage string

// page writes the drifts as a page of HTML that needs nothing beside it: no script, no style sheet, no server.
func (d Drifts) page(out *Findings) error {
	var found, client, unseen, gone []markup.Values
	for _, f := range d.Findings {
		where := fmt.Sprintf("%s %s %s", f.Where.Route, f.Where.Side, cmp.Or(f.Where.Pointer, "/"))
		if f.Where.Status != 0 {
			where = fmt.Sprintf("%s %d %s %s", f.Where.Route, f.Where.Status, f.Where.Side, cmp.Or(f.Where.Pointer, "/"))
		}
		var overlay []markup.Values
		for _, change := range f.Overlay {
			overlay = append(overlay, shownAs("change", change.String()))
		}
		one := shownAs("id", f.ID, "where", where, "severity", string(f.Severity), "kind", f.Kind, "state", d.state(f.ID),
			"count", Count(f.Count, "time"), "first", strconv.FormatUint(f.First, 10), "allowed", f.Allowed, "came", f.Came, "sample", f.Sample)
		one["sampled"], one["overlay"] = f.Sample != "", overlay
		found = append(found, one)
	}
	for _, each := range d.Lints {
		client = append(client, shownAs("message", each.Message, "code", each.Code, "severity", string(each.Severity),
			"count", Count(each.Count, "time"), "advice", each.Advice))
	}
	for _, route := range d.Unseen {
		unseen = append(unseen, shownAs("route", route))
	}
	for _, id := range d.Gone {
		gone = append(gone, shownAs("known", id))
	}
	values := shownAs("drifts", Count(len(d.Findings), "drift"), "lints", Count(len(d.Lints), "lint"),
		"version", out.document.Command+" "+out.document.Version)
	values["found"], values["client"], values["judged"] = found, client, len(client) > 0
	values["unseen"], values["unasked"], values["gone"] = unseen, len(unseen) > 0, gone
	values["summary"] = []markup.Values{
		counted("Exchanges", d.Seen.Exchanges), counted("Exchanges known to the schema files", d.Seen.Known),
		counted("Files checked", d.Seen.Files), counted("Files not kept", d.Seen.UncheckedFiles),
		counted("Exchanges without a whole answer", d.Seen.Faults),
	}
	page, err := markup.Fill(driftsPage, values)
	if err == nil {
		_, err = out.WriteString(page)
	}
	return err
}

// shownAs returns pairs of a name and a text, printable also where a page that cannot be kept is printed.
func shownAs(pairs ...string) markup.Values {
	values := markup.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = report.Printable(pairs[i+1])
	}
	return values
}

func counted(name string, count int64) markup.Values {
	return markup.Values{"name": name, "value": strconv.FormatInt(count, 10)}
}
