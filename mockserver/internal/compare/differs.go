package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

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
