package report

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
)

//go:embed report.html
var page string

// HTML writes the report as one page that needs nothing else.
func (r *Report) HTML(out io.Writer) error {
	values := markup.Values{"people": fmt.Sprint(r.People), "least": fmt.Sprint(r.Least), "only": onlyShown}
	var files, settings, shares, distributions, plots, left []markup.Values
	for _, each := range r.Files {
		files = append(files, markup.Values{"number": fmt.Sprint(each.Files), "kind": each.Kind, "rows": fmt.Sprint(each.Rows)})
	}
	for _, each := range r.Settings {
		settings = append(settings, markup.Values{"name": each.Name, "value": each.Value})
	}
	for _, each := range r.Comparisons {
		if each.Measure == MeasureShare {
			shares = append(shares, each.shown(percent))
		} else {
			distributions = append(distributions, each.shown(func(distance float64) string { return fmt.Sprint(distance) }))
		}
	}
	for _, each := range r.Plots {
		plots = append(plots, bars(each).shown(each.Name))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Left)) {
		left = append(left, markup.Values{"name": name, "why": r.Left[name]})
	}
	for name, list := range map[string][]markup.Values{"files": files, "settings": settings, "shares": shares, "distributions": distributions, "plots": plots, "left": left} {
		values[name] = list
	}
	filled, err := markup.Fill(page, values)
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	_, err = io.WriteString(out, filled)
	return err
}

// onlyShown says why some comparisons have no bound: people are the units of chance, and here more varies than who they are.
const onlyShown = "“Shown only” is what settings do not determine, or not alone; it has no bound, since the learned world need not be that near. When messages go out " +
	"hangs on a few orchestrations, so two samples of one world are further apart than the choice of people would make them."

// shown is a row of a table, with its distances in a form.
func (c Comparison) shown(form func(float64) string) markup.Values {
	verdict := "outside"
	switch {
	case !c.Set:
		verdict = "shown only"
	case c.Within:
		verdict = "within"
	}
	at, floor, bound := ranges(c), "–", "–"
	if c.Set {
		floor, bound = form(c.Floor), form(c.Bound)
	}
	return markup.Values{
		"name": c.Name, "measure": c.Measure, "base": percent(c.Base), "world": percent(c.World),
		"distance": form(c.Distance), "floor": floor, "bound": bound, "verdict": verdict, "outside": c.Set && !c.Within,
		"bounded": c.Set, "bound-low": fmt.Sprint(at.BoundLow), "bound-width": fmt.Sprint(at.BoundWidth),
		"low": fmt.Sprint(at.Low), "width": fmt.Sprint(at.Width), "at-base": fmt.Sprint(at.Base), "at-world": fmt.Sprint(at.World),
	}
}

// shown is a drawing on the page.
func (d drawing) shown(name string) markup.Values {
	var drawn, marks []markup.Values
	for _, each := range d.Bars {
		of := "base"
		if each.World {
			of = "world"
		}
		drawn = append(drawn, markup.Values{
			"of": of, "x": fmt.Sprint(each.X), "y": fmt.Sprint(each.Y), "width": fmt.Sprint(each.Width), "height": fmt.Sprint(each.Height), "title": each.Title,
		})
	}
	for _, each := range d.Marks {
		marks = append(marks, markup.Values{"x": fmt.Sprint(each.X), "text": each.Text})
	}
	return markup.Values{"name": name, "top": d.Top, "bars": drawn, "marks": marks}
}

func percent(part float64) string { return fmt.Sprintf("%.3g %%", 100*part) }
