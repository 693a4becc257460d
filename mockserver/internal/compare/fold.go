package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// all are the differences, the worst first, and causes before others. What follows from another one says so.
func (d *differ) all(talks []talk) []Difference {
	var made []Difference
	for _, id := range d.order {
		each := *d.made[id]
		if len(each.Pairs) == 1 {
			each.Pairs = nil
		}
		made = append(made, each)
	}
	var told []Difference
	for _, each := range d.causes {
		its := each.difference(talks)
		for i := range made {
			if made[i].Relation.Follows == "" && !slices.ContainsFunc(made[i].Seen, func(place string) bool { return !each.explains(place, made[i].About) }) {
				made[i].Relation.Follows = its.ID
			}
		}
		told = append(told, its)
	}
	told = append(told, quicks(talks, made)...)
	follow(made)
	told = append(told, together(made)...)
	made = append(told, made...)
	rank := func(of Difference) int { return slices.Index(drift.Severities(), of.Severity) }
	first := func(of Difference) int { return map[bool]int{true: 0, false: 1}[of.Kind == kindCause] }
	slices.SortStableFunc(made, func(a, b Difference) int {
		return cmp.Or(rank(a)-rank(b), first(a)-first(b), strings.Compare(a.Where, b.Where))
	})
	return made
}

// follow marks errors that differ only in the status that is told already.
func follow(made []Difference) {
	words := func(of string) string { // without "has an error 404 "
		_, after, _ := strings.Cut(strings.TrimPrefix(of, "has an error "), " ")
		return after
	}
	for i := range made {
		if made[i].Kind != kindError || made[i].Relation.Follows != "" || words(made[i].A) != words(made[i].B) {
			continue
		}
		for _, other := range made {
			if other.Kind == kindStatus && other.Where == made[i].Where && !slices.ContainsFunc(made[i].Seen, func(place string) bool { return !slices.Contains(other.Seen, place) }) {
				made[i].Relation.Follows = other.ID
			}
		}
	}
}

// alone are kinds that are about one conversation.
var alone = []string{kindCause, "expectation", "broken"}

// together makes one difference of what is the same at so many endpoints that it is about the service.
func together(made []Difference) (told []Difference) {
	const endpoints = 3
	at := map[string][]int{}
	var order []string
	for i := range made {
		each := &made[i]
		if each.Relation.Follows != "" || len(each.Pairs) > 0 || slices.Contains(alone, each.Kind) {
			continue
		}
		each.Relation.wider = identifier("endpoints", each.About, each.Kind, sorted(each.A), sorted(each.B))
		if at[each.Relation.wider] == nil {
			order = append(order, each.Relation.wider)
		}
		at[each.Relation.wider] = append(at[each.Relation.wider], i)
	}
	for _, id := range order {
		if len(at[id]) < endpoints {
			continue
		}
		one := made[at[id][0]]
		one.ID, one.Once, one.Count, one.Seen = id, true, 0, nil
		one.Where += fmt.Sprintf(" and %d others", len(at[id])-1)
		for _, i := range at[id] {
			each := &made[i]
			each.Relation.Follows = id
			one.Relation.At = append(one.Relation.At, each.Where)
			one.Seen = append(one.Seen, each.Seen...)
			one.Count += each.Count
			one.Once = one.Once && each.Once
			if each.Severity.AtLeast(one.Severity) {
				one.Severity = each.Severity
			}
		}
		told = append(told, one)
	}
	return told
}

// sorted is a list in an order that does not depend on how often each was seen.
func sorted(list string) string {
	parts := strings.Split(list, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// Implied are the identifiers of what is known with those that are: what follows from something, what tells of nothing but
// what is known, and what was the same at many endpoints and is so at fewer now.
func Implied(all []Difference, known []string) []string {
	is := map[string]bool{}
	for _, id := range known {
		is[id] = true
	}
	by := map[string]Difference{}
	for _, each := range all {
		by[each.ID] = each
	}
	var told func(d Difference) bool
	told = func(d Difference) bool { // chains are short: an error, its status, what tells of many
		above, there := by[d.Relation.Follows]
		return is[d.ID] || d.Relation.wider != "" && is[d.Relation.wider] || there && told(above)
	}
	var made []string
	for _, id := range known {
		if _, there := by[id]; there || !slices.ContainsFunc(all, func(d Difference) bool { return d.Relation.wider == id }) {
			made = append(made, id)
		}
	}
	for _, each := range all {
		whole := each.Kind == kindCause || len(each.Relation.At) > 0
		parts := slices.DeleteFunc(slices.Clone(all), func(d Difference) bool { return d.Relation.Follows != each.ID })
		whole = whole && len(parts) > 0 && !slices.ContainsFunc(parts, func(d Difference) bool { return !told(d) })
		if (whole || told(each)) && !slices.Contains(made, each.ID) {
			made = append(made, each.ID)
		}
	}
	return made
}
