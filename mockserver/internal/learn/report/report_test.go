package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
)

// pageOf is the page of a report.
func pageOf(t *testing.T, r report.Report) string {
	t.Helper()
	var page bytes.Buffer
	if err := r.HTML(&page); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// rowOf is the row of a table that begins with a name.
func rowOf(t *testing.T, page, name string) string {
	t.Helper()
	_, row, found := strings.Cut(page, "><td>"+name+"<td>")
	if !found {
		t.Fatalf("%s is in no table of %s", name, page)
	}
	row, _, _ = strings.Cut(row, "\n<tr")
	return row
}

// TestTables: a table that is wider than the page is in a box of its own, and a value without blanks is broken where the cell ends.
func TestTables(t *testing.T) {
	t.Parallel()
	page := pageOf(t, report.Report{Settings: []report.Setting{{Name: "weight of timezone", Value: strings.Repeat("Europe/Berlin:1000;", 50)}}, Left: map[string]string{"growth": "few"}})
	if all, boxed := strings.Count(page, "<table"), strings.Count(page, `<div class="wide"><table`); all != boxed || all < 5 {
		t.Errorf("%d of %d tables are in a box that scrolls", boxed, all)
	}
	for _, want := range []string{".wide { overflow-x: auto; }", ".named td { vertical-align: top; overflow-wrap: anywhere; }"} {
		if !strings.Contains(page, want) {
			t.Errorf("the style does not say %s", want)
		}
	}
	for _, name := range []string{"weight of timezone", "growth"} {
		table := page[:strings.Index(page, "<td>"+name+"<td>")]
		if table = table[strings.LastIndex(table, "<table"):]; !strings.HasPrefix(table, `<table class="named">`) {
			t.Errorf("%s is in a table that breaks no long values: %.60s", name, table)
		}
	}
}

// TestVerdicts: the verdict is beside the name, and what is shown only has no bound.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set, within    bool
		verdict, class string
		bounds         bool
	}{
		"within":     {true, true, "within", "<tr>", true},
		"outside":    {true, false, "outside", `<tr class="outside">`, true},
		"shown only": {false, false, "shown only", "<tr>", false},
	} {
		for measure, forms := range map[string][2]string{report.MeasureShare: {"4.38 %", "13.1 %"}, report.TotalVariation: {"0.0438", "0.131"}} {
			t.Run(name+", "+measure, func(t *testing.T) {
				t.Parallel()
				page := pageOf(t, report.Report{Comparisons: []report.Comparison{{Name: "this", Measure: measure, Distance: 0.237, Floor: 0.0438, Bound: 0.131, Set: c.set, Within: c.within}}})
				row := rowOf(t, page, "this")
				if !strings.HasPrefix(row, c.verdict+"<td") || !strings.Contains(page, c.class+"<td>this<td>") {
					t.Errorf("the verdict is not %s beside the name: %s", c.verdict, row)
				}
				for _, form := range forms {
					if strings.Contains(row, form) != c.bounds {
						t.Errorf("it says %s: %v, want %v: %s", form, !c.bounds, c.bounds, row)
					}
				}
				if drawn := strings.Contains(row, `class="bound"`); drawn != (c.bounds && measure == report.MeasureShare) {
					t.Errorf("a bound is drawn: %v: %s", drawn, row)
				}
			})
		}
	}
}

// TestBounds: the bar of a bound begins at the base and ends behind the dot of a world that is within, and before that of one that is not.
func TestBounds(t *testing.T) {
	t.Parallel()
	dot, bar := regexp.MustCompile(`cx="([^"]+)"`), regexp.MustCompile(`class="bound" x="([^"]+)" y="5" width="([^"]+)"`)
	for name, c := range map[string]struct{ base, world, bound, from, to float64 }{
		"above":            {0.415, 0.448, 0.05, 0.415, 0.465},
		"below":            {0.448, 0.415, 0.05, 0.398, 0.448},
		"further than all": {0.9, 0.95, 0.3, 0.9, 1},
		"less than none":   {0.1, 0.05, 0.3, 0, 0.1},
		"outside":          {0.5, 0.7, 0.1, 0.5, 0.6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			within := c.world >= c.from && c.world <= c.to
			page := pageOf(t, report.Report{Comparisons: []report.Comparison{{Name: "this", Measure: report.MeasureShare, Base: c.base, World: c.world, Bound: c.bound, Set: true, Within: within}}})
			row := rowOf(t, page, "this")
			var numbers []float64
			for _, text := range append(bar.FindStringSubmatch(row)[1:], dot.FindStringSubmatch(row)[1]) {
				number, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				numbers = append(numbers, number)
			}
			begin, end, at := numbers[0], numbers[0]+numbers[1], numbers[2]
			if got, want := fmt.Sprintf("%.0f to %.0f", begin, end), fmt.Sprintf("%.0f to %.0f", 360*c.from, 360*c.to); got != want {
				t.Errorf("the bar is from %s, want %s", got, want)
			}
			if (at >= begin && at <= end) != within {
				t.Errorf("the dot is at %v, the bar from %v to %v", at, begin, end)
			}
		})
	}
}

// TestLabels: labels stay inside of the plot, and none lies on another.
func TestLabels(t *testing.T) {
	t.Parallel()
	const width, letter = 420.0, 6.5
	hours := make([]string, 24)
	for i := range hours {
		hours[i] = fmt.Sprint(i)
	}
	placed := regexp.MustCompile(`<text x="([^"]+)" y="144"[^>]*>([^<]+)`)
	for name, c := range map[string]struct {
		labels []string
		least  int
	}{
		"hours":      {hours, 12},
		"one":        {[]string{"America/Argentina/Buenos_Aires"}, 1},
		"time zones": {[]string{"America/Argentina/Buenos_Aires", "America/Los_Angeles", "Europe/Berlin", "Europe/London", "Europe/Paris", "America/Argentina/Rio_Gallegos"}, 1},
		"two":        {[]string{"America/Argentina/Buenos_Aires", "Europe/Berlin"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			part := 0.5
			parts := make([]*float64, len(c.labels))
			for i := range parts {
				parts[i] = &part
			}
			page, taken := pageOf(t, report.Report{Plots: []report.Plot{{Name: name, Labels: c.labels, Base: parts, World: parts}}}), 0.0
			found := placed.FindAllStringSubmatch(page, -1)
			if len(found) < c.least {
				t.Errorf("%d labels, want at least %d", len(found), c.least)
			}
			for _, each := range found {
				at, err := strconv.ParseFloat(each[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				half := letter * float64(len(each[2])) / 2
				if at-half < taken-0.2 || at+half > width+0.2 {
					t.Errorf("%s is from %v to %v, in a plot of %v of which %v was taken", each[2], at-half, at+half, width, taken)
				}
				taken = at + half
			}
		})
	}
}
