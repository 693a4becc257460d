package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// Difference is one way in which the services differ, however often it was seen.
type Difference struct {
	// ID stays the same from run to run, whatever the wording.
	ID string `json:"id"`
	// Where is the endpoint, About what of its answers.
	Where    string         `json:"where"`
	About    string         `json:"about"`
	Kind     string         `json:"kind"`
	Severity drift.Severity `json:"severity"`
	A        string         `json:"a"`
	B        string         `json:"b"`
	Count    int            `json:"count"`
	// Seen are the steps in which it was seen, as CONVERSATION/STEP.
	Seen []string `json:"seen"`
	// Once says that the first service was asked only once, so that this may be what it changes itself.
	Once bool `json:"once,omitempty"`
}

// String is the difference in a line.
func (d Difference) String() string {
	return fmt.Sprintf("%s %s: %s: %s: a %s; b %s [%s]", d.ID, d.Severity, d.Where, d.About, d.A, d.B, d.Kind)
}

// severities by the kind of a fact; what is missing there or more is said below.
var severities = map[string]drift.Severity{
	kindStatus: drift.High, kindError: drift.High, kindState: drift.High, kindTransition: drift.High, kindLayout: drift.High, kindCompression: drift.Medium,
	kindMember: drift.Medium, kindColumn: drift.Medium, kindValue: drift.Medium, kindOrder: drift.Medium, kindRows: drift.Medium, kindHeader: drift.Low, kindTiming: drift.Low,
}

// relied are headers that clients rely on.
var relied = []string{"Content-Type", "Content-Encoding", "Location", "Retry-After", "Allow", "Accept-Ranges", "Content-Range", "Etag", "Content-Disposition"}

// differ collects differences.
type differ struct {
	made  map[string]*Difference
	order []string
}

func (d *differ) found(made Difference, seen string) {
	sum := sha256.Sum256([]byte(strings.Join([]string{made.Where, made.About, made.Kind}, "\x00")))
	made.ID = hex.EncodeToString(sum[:6])
	known := d.made[made.ID]
	if known == nil {
		known = &made
		d.made[made.ID] = known
		d.order = append(d.order, made.ID)
	}
	known.Count++
	known.Once = known.Once && made.Once
	if !slices.Contains(known.Seen, seen) {
		known.Seen = append(known.Seen, seen)
	}
}

// all are the differences, the worst first.
func (d *differ) all() []Difference {
	made := make([]Difference, 0, len(d.order))
	for _, id := range d.order {
		made = append(made, *d.made[id])
	}
	rank := func(of Difference) int { return slices.Index(drift.Severities(), of.Severity) }
	slices.SortStableFunc(made, func(a, b Difference) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.Where, b.Where)) })
	return made
}

// compare finds what is different between conversations with a, twice, and one with b. The second one with a may be nil.
func (d *differ) compare(a, again, b *Transcript) {
	for _, said := range a.Steps {
		other := b.step(said.Name)
		place := a.Conversation + "/" + said.Name
		if other == nil {
			continue
		}
		before := len(d.order)
		d.step(said, again.step(said.Name), other, place)
		if len(d.order) > before || d.seen(place) {
			continue
		}
		for _, each := range []struct {
			its, others []string
			is          string
		}{{said.Unmet, other.Unmet, "a"}, {other.Unmet, said.Unmet, "b"}} {
			for _, unmet := range each.its {
				if slices.Contains(each.others, unmet) {
					continue
				}
				made := Difference{Where: said.Where, About: "what " + place + " expects", Kind: "expectation", Severity: drift.High, A: "does it", B: "does it", Once: again == nil}
				if each.is == "a" {
					made.A = "does not: " + unmet
				} else {
					made.B = "does not: " + unmet
				}
				d.found(made, place)
			}
		}
	}
	d.ended(a, b, again == nil)
}

// seen tells whether a difference was seen in a step.
func (d *differ) seen(place string) bool {
	for _, each := range d.made {
		if slices.Contains(each.Seen, place) {
			return true
		}
	}
	return false
}

// ended finds a conversation that broke off with one of them, if nothing else says so.
func (d *differ) ended(a, b *Transcript, once bool) {
	if (a.Broken == "") == (b.Broken == "") {
		return
	}
	broken := a
	if b.Broken != "" {
		broken = b
	}
	place := a.Conversation
	if step, _, is := strings.Cut(strings.TrimPrefix(broken.Broken, "step "), ":"); is && d.seen(place+"/"+step) {
		return
	}
	goes := func(t *Transcript) string { return cmp.Or(t.Broken, "goes on to the end") }
	d.found(Difference{Where: place, About: "the conversation", Kind: "broken", Severity: drift.High, A: goes(a), B: goes(b), Once: once}, place)
}

// step finds what is different in one step.
func (d *differ) step(a, again, b *Said, place string) {
	first, second := a.Facts, facts(nil)
	if again != nil {
		second = again.Facts
	}
	about := map[string]bool{}
	for _, of := range []facts{first, second, b.Facts} {
		for name := range of {
			about[name] = true
		}
	}
	var found []Difference
	for _, name := range slices.Sorted(maps.Keys(about)) {
		if made := differs(name, first, second, b.Facts); made != nil {
			made.Where, made.About, made.Once = a.Where, name, again == nil
			found = append(found, *made)
		}
	}
	for _, each := range roots(found) {
		d.found(each, place)
	}
}

// roots are differences without those that follow from another one in the same step: in an answer with another status all
// is otherwise, below a member that is not there nothing is, and with another column the order is another.
func roots(found []Difference) []Difference {
	is := func(name string) func(Difference) bool { return func(d Difference) bool { return d.About == name } }
	status, refusal := slices.ContainsFunc(found, is("status")), slices.ContainsFunc(found, is("error"))
	packed := slices.ContainsFunc(found, is("compression of the file"))
	columns := slices.ContainsFunc(found, func(d Difference) bool { return d.Kind == kindColumn && !strings.Contains(d.About, ",") })
	return slices.DeleteFunc(slices.Clone(found), func(d Difference) bool {
		switch {
		case status && d.About != "status" && d.About != "statuses" && (d.About != "error" || d.A == "has none" || d.B == "has none"),
			refusal && d.Kind == kindMember,
			packed && d.About == "header Content-Encoding",
			columns && d.About == "columns in order":
			return true
		case d.Kind != kindMember:
			return false
		}
		pointer, within, _ := strings.Cut(d.About, " when ")
		return slices.ContainsFunc(found, func(other Difference) bool {
			above, also, _ := strings.Cut(other.About, " when ")
			return other.Kind == kindMember && also == within && above != pointer && strings.HasPrefix(pointer, above+"/") &&
				(other.A == "has none" || other.B == "has none")
		})
	})
}

// differs tells how a fact differs; nil if it does not.
func differs(about string, a, again, b facts) *Difference {
	fact := cmp.Or(a[about], again[about], b[about])
	made := &Difference{Kind: fact.Kind, Severity: severities[fact.Kind]}
	if name, is := strings.CutPrefix(about, "header "); is && slices.Contains(relied, name) {
		made.Severity = drift.Medium
	}
	switch {
	case fact.Kind == kindTiming:
		return slower(made, a[about], again[about], b[about])
	case fact.Kind == kindState && about != "last state":
		return states(made, a[about], again[about], b[about])
	case fact.Kind == kindTransition:
		return backwards(made, about, a, again, b)
	case fact.Of > 0:
		return sampled(made, about, a, again, b)
	}
	if fact.Within != "" && (a["state "+fact.Within] == nil && again["state "+fact.Within] == nil || b["state "+fact.Within] == nil) {
		return nil // one of them was never seen in that state
	}
	if told := about == aboutQuoting || strings.HasPrefix(about, aboutRowOrder); told && (b[about] == nil || a[about] == nil && again[about] == nil) {
		return nil // only rows tell, and without any there is nothing to compare
	}
	if emptied(about, b) || emptied(about, a) && (again == nil || emptied(about, again)) {
		return nil // nothing is known of the items of a list without any
	}
	its, others := a[about], again[about]
	if again == nil {
		others = its
	}
	switch {
	case b[about] == nil && (its == nil || others == nil):
		return nil // a has it only sometimes
	case b[about] == nil:
		made.A, made.B = list(its.Seen), "has none"
		if made.Severity == drift.Medium {
			made.Severity = drift.High
		}
		return made
	case its == nil && others == nil:
		made.A, made.B = "has none", list(b[about].Seen)
		return made
	case same(its, b[about], whole) || same(others, b[about], whole):
		return nil
	case !same(its, others, whole) && (same(its, b[about], family) || same(others, b[about], family)):
		return nil // a itself says something else every time
	}
	made.A, made.B = list(cmp.Or(its, others).Seen), list(b[about].Seen)
	return made
}

// emptied tells whether a fact is about the items of a list that is there and has none.
func emptied(about string, f facts) bool {
	list, _, is := strings.Cut(about, "/*")
	if !is || f[list] == nil {
		return false
	}
	for name := range f {
		if strings.HasPrefix(name, list+"/*") {
			return false
		}
	}
	return true
}

func whole(shape string) string { return shape }

// same tells whether the same was seen, by what is made of it.
func same(a, b *Fact, by func(string) string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return maps.Equal(kinds(a, by), kinds(b, by))
}

func kinds(of *Fact, by func(string) string) map[string]bool {
	made := map[string]bool{}
	for seen := range of.Seen {
		made[by(seen)] = true
	}
	return made
}

// list shows what was seen, the commonest first.
func list(seen map[string]int64) string {
	names := slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(cmp.Compare(seen[b], seen[a]), strings.Compare(a, b))
	})
	const most = 6
	more := ""
	if len(names) > most {
		names, more = names[:most], ", ..."
	}
	for i, name := range names {
		if shape, says, is := strings.Cut(name, saying); is {
			names[i] = shape + " " + says
		}
	}
	return "has " + strings.Join(names, ", ") + more
}

// states finds a state that one of them does not have. One that was seen only once may have been missed.
func states(made *Difference, a, again, b *Fact) *Difference {
	const often = 3
	seen := func(f *Fact) int64 {
		if f == nil {
			return 0
		}
		return f.Seen["seen"]
	}
	switch {
	case a == nil && again == nil:
		made.A, made.B = "never has it", "has it"
		return made
	case b == nil && seen(a) >= often && seen(again) >= often:
		made.A, made.B = "has it", "never has it"
		return made
	}
	return nil
}

// backwards finds two states that come in one order with one service, and in the other order with the other.
func backwards(made *Difference, about string, a, again, b facts) *Difference {
	from, to, _ := strings.Cut(strings.TrimPrefix(about, "from "), " to ")
	turned := "from " + to + " to " + from
	goes := func(f facts) bool { return f[about] != nil && f[turned] == nil }
	switch {
	case b[about] != nil && a[about] == nil && again[about] == nil && (a[turned] != nil || again[turned] != nil):
		made.A, made.B = "never goes back", "goes back"
		return made
	case a[about] != nil && !goes(a) && (again == nil || !goes(again)) && b[about] == nil && b[turned] != nil:
		made.A, made.B = "goes back", "never goes back"
		return made
	}
	return nil
}

// slower finds a wait that is much longer than the other.
func slower(made *Difference, a, again, b *Fact) *Difference {
	const times, seconds = 4, 30
	if a == nil || b == nil {
		return nil
	}
	least, most, others := a.Seen["seconds"], a.Seen["seconds"], b.Seen["seconds"]
	if again != nil {
		least, most = min(least, again.Seen["seconds"]), max(most, again.Seen["seconds"])
	}
	if others > times*most+seconds || least > times*others+seconds {
		made.A, made.B = fmt.Sprintf("takes %d s", most), fmt.Sprintf("takes %d s", others)
		return made
	}
	return nil
}

// expected is how often something should have been seen, were the services alike, to be missed if it is not: rows come
// in groups, such as those of a campaign, so that a few are nothing.
const expected = 40

// sampled finds what is so of many rows of one file, and of none of the other.
func sampled(made *Difference, about string, a, again, b facts) *Difference {
	rows := func(f facts) int64 {
		if f[kindRows] == nil {
			return 0
		}
		return f[kindRows].Seen["rows"]
	}
	if about == kindRows {
		switch {
		case rows(b) == 0 && rows(a) >= expected && (again == nil || rows(again) >= expected):
			made.A, made.B = "has rows", "has none"
			return made
		case rows(a) == 0 && rows(again) == 0 && rows(b) >= expected:
			made.A, made.B = "has none", "has rows"
			return made
		}
		return nil
	}
	if a[kindRows] == nil || b[kindRows] == nil {
		return nil
	}
	seen := func(f facts) map[string]int64 {
		if f[about] == nil {
			return nil
		}
		return f[about].Seen
	}
	column, _, _ := strings.Cut(about, ", its cells")
	if strings.HasPrefix(about, "column ") && (a[column] == nil) != (b[column] == nil) {
		return nil // the column itself is told of
	}
	both := maps.Clone(seen(a))
	if both == nil {
		both = map[string]int64{}
	}
	for name, count := range seen(again) {
		both[name] += count
	}
	fresh := beyond(seen(b), both, rows(b), min(rows(a), cmp.Or(rows(again), rows(a))))
	gone := beyond(both, seen(b), rows(a)+rows(again), rows(b))
	if len(fresh) == 0 && len(gone) == 0 {
		return nil
	}
	made.A, made.B = list(seen(a)), list(seen(b))
	if len(fresh) > 0 {
		made.B = "has also " + strings.Join(fresh, ", ")
	}
	if len(gone) > 0 {
		made.A = "has also " + strings.Join(gone, ", ")
		made.Severity = drift.High
	}
	switch {
	case len(seen(b)) == 0:
		made.B = "has none"
	case len(both) == 0:
		made.A = "has none"
	}
	return made
}

// beyond is what was seen so often in some rows that it would have been in others, and is not.
func beyond(seen, others map[string]int64, of, rows int64) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if others[name] == 0 && of > 0 && seen[name]*rows/of >= expected {
			names = append(names, name)
		}
	}
	return names
}
