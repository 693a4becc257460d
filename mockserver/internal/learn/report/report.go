// Package report is what was learned of a base, for people and for programs.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Report is what was learned, for people and for programs. It has nothing in it that fewer than Least people share.
type Report struct {
	Least       int64             `json:"least_people"`
	People      int64             `json:"people"` // roughly
	Files       []Files           `json:"files"`
	Settings    []Setting         `json:"settings"`
	Left        map[string]string `json:"not_learned"`
	Comparisons []Comparison      `json:"comparisons"`
	Plots       []Plot            `json:"plots"`
}

// Files are the files of a kind. Their names may be those of campaigns, and are not told.
type Files struct {
	Kind  string `json:"kind"`
	Files int    `json:"files"`
	Rows  int64  `json:"rows"` // roughly
}

// Setting is one that was learned.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Plot compares parts of a whole in the base and in the world. A cell that too few people share is null.
type Plot struct {
	Name   string     `json:"name"`
	Labels []string   `json:"labels"`
	Base   []*float64 `json:"base"`
	World  []*float64 `json:"world"`
}

// Comparison is a number of the base beside that of the learned world.
type Comparison struct {
	Name string `json:"name"`
	// Measure is share, or which distance it is: Kolmogorov-Smirnov, total variation, or of the spreads of campaigns.
	Measure string  `json:"measure"`
	Base    float64 `json:"base,omitempty"`
	World   float64 `json:"world,omitempty"`
	Low     float64 `json:"low,omitempty"` // of a share in the base: its interval
	High    float64 `json:"high,omitempty"`
	// Distance is that between the base and the world; Floor what two samples of one world of these sizes have, and Bound what is
	// accepted.
	Distance float64 `json:"distance"`
	Floor    float64 `json:"floor"`
	Bound    float64 `json:"bound"`
	People   int64   `json:"people"` // of the base, rounded
	// Set tells whether a setting determines it. What no setting does is shown, and not judged.
	Set    bool `json:"set"`
	Within bool `json:"within"`
}

// The measures of comparisons.
const (
	MeasureShare      = "share"
	KolmogorovSmirnov = "Kolmogorov-Smirnov"
	TotalVariation    = "total variation"
	MeasureSpread     = "spread"
)

// Header begins the files of settings that are written beside reports.
const Header = "# A world that resembles what export files told of"

// Wrote tells whether a file begins as such settings do, or reports of one form or the other.
func Wrote(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1_000))
	title, _, _ := strings.Cut(page, "</title>")
	return err == nil && slices.ContainsFunc([]string{Header, "{\n  \"least_people\": ", title}, func(known string) bool {
		return strings.HasPrefix(string(text), known)
	})
}

// AddPlot adds a plot if there is something to be seen: from the first to the last cell that enough people share.
func (r *Report) AddPlot(p Plot) {
	isShown := func(i int) bool { return p.Base[i] != nil || p.World[i] != nil }
	first, last := 0, len(p.Labels)
	for first < last && !isShown(first) {
		first++
	}
	for last > first && !isShown(last-1) {
		last--
	}
	if last == first {
		return
	}
	p.Labels, p.Base, p.World = p.Labels[first:last], p.Base[first:last], p.World[first:last]
	r.Plots = append(r.Plots, p)
}

// AddRanks adds a plot of two lists, from the lowest on, by rank: what is in them has no names here.
func (r *Report) AddRanks(name string, base, world []float64) {
	if len(base) == 0 {
		return
	}
	made := Plot{Name: name}
	for i := range base {
		made.Labels, made.Base = append(made.Labels, fmt.Sprint(i+1)), append(made.Base, &base[i])
		var beside *float64 // the same rank among fewer or more
		if len(world) > 0 {
			beside = &world[i*len(world)/len(base)]
		}
		made.World = append(made.World, beside)
	}
	r.Plots = append(r.Plots, made)
}

// Numbers are labels that count, from a first one on.
func Numbers(first, count int) (labels []string) {
	for i := range count {
		labels = append(labels, fmt.Sprint(first+i))
	}
	return labels
}

// Powers are the labels of numbers each of which is at least twice as large as the one before, from 0 and 1 on.
func Powers(count int) []string {
	labels := []string{"0", "1"}
	for power := 1; power < count-1; power++ {
		labels = append(labels, fmt.Sprint("≥", 1<<power))
	}
	return labels
}

// Octaves are the labels of durations each of which is up to twice as long as the one before, from a second on.
func Octaves(count int) (labels []string) {
	for i := range count {
		labels = append(labels, "≤"+about(float64(int64(1)<<i)))
	}
	return labels
}

// about is a duration in seconds as a short text.
func about(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0fs", seconds)
	case seconds < 90*60:
		return fmt.Sprintf("%.0fm", seconds/60)
	case seconds < 36*3600:
		return fmt.Sprintf("%.0fh", seconds/3600)
	}
	return fmt.Sprintf("%.0fd", seconds/86_400)
}

// JSON writes the report for programs.
func (r *Report) JSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
