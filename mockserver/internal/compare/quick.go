package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// quick is what follows from one service having its exports ready before anybody sees them grow.
type quick struct {
	side   string
	missed map[string]bool // states that only the other one shows
	last   map[string]bool
	polls  []string        // the steps, as CONVERSATION/STEP
	listed map[string]bool // members that list states, by step and pointer above them
}

// quicks finds which service is ready at once, and marks what follows from that.
func quicks(talks []talk, made []Difference) (told []Difference) {
	const conversations, follow = 2, 2
	for _, side := range []string{"a", "b"} {
		q := quickOf(side, talks)
		if q == nil || len(q.polls) < conversations {
			continue
		}
		var from []int
		for i := range made {
			if made[i].Relation.Follows == "" && q.explains(made[i]) {
				from = append(from, i)
			}
		}
		if len(from) < follow {
			continue
		}
		its := q.difference()
		for _, i := range from {
			made[i].Relation.Follows = its.ID
		}
		told = append(told, its)
	}
	return told
}

// quickOf is nil if the service is asked often enough in some conversation to show how an export grows.
func quickOf(side string, talks []talk) *quick {
	const few = 2 // lookups
	q := &quick{side: side, missed: map[string]bool{}, last: map[string]bool{}, listed: map[string]bool{}}
	for _, each := range talks {
		its, again, others := each.a, each.again, each.b
		if side == "b" {
			its, again, others = each.b, nil, each.a
		}
		for _, said := range its.Steps {
			other, states := others.step(said.Name), said.states()
			if other == nil || len(states) == 0 {
				continue
			}
			if lookups(states) > few || lookups(again.step(said.Name).states()) > few {
				return nil
			}
			if last := other.Facts["last state"]; lookups(other.states()) <= lookups(states) || !same(said.Facts["last state"], last, whole) {
				continue
			}
			more := false
			for state := range other.states() {
				if states[state] == 0 {
					q.missed[state], more = true, true
				}
			}
			if more {
				q.polls = append(q.polls, its.Conversation+"/"+said.Name)
				for state := range said.Facts["last state"].Seen {
					q.last[state] = true
				}
			}
		}
	}
	q.lists(talks)
	return q
}

// states are those that lookups have shown, and how often.
func (s *Said) states() map[string]int64 {
	made := map[string]int64{}
	if s == nil {
		return made
	}
	for about, fact := range s.Facts {
		if state, is := strings.CutPrefix(about, "state "); is && fact.Kind == kindState {
			made[state] = fact.Seen["seen"]
		}
	}
	return made
}

func lookups(states map[string]int64) (made int64) {
	for count := range maps.Values(states) {
		made += count
	}
	return made
}

// lists finds members, other than those of lookups, in which it says the last state, and the other one a state before.
func (q *quick) lists(talks []talk) {
	only := func(fact *Fact, states map[string]bool) bool {
		for seen := range fact.Seen {
			if _, word, _ := strings.Cut(seen, saying); !states[word] {
				return false
			}
		}
		return true
	}
	for _, each := range talks {
		its, others := each.a, each.b
		if q.side == "b" {
			its, others = each.b, each.a
		}
		for _, said := range its.Steps {
			other := others.step(said.Name)
			if other == nil {
				continue
			}
			for about, fact := range said.Facts {
				if before := other.Facts[about]; fact.Kind == kindMember && before != nil && only(fact, q.last) && only(before, q.missed) {
					q.listed[its.Conversation+"/"+said.Name+" "+about] = true
					q.listed[its.Conversation+"/"+said.Name+" "+above(about)] = true
				}
			}
		}
	}
}

// above is what a member is in.
func above(about string) string { return about[:strings.LastIndex(about, "/")+1] }

// explains tells whether a difference is so because of it, wherever it was seen.
func (q *quick) explains(d Difference) bool {
	its, others := d.A, d.B
	if q.side == "b" {
		its, others = d.B, d.A
	}
	within := func(is func(place string) bool) bool {
		return !slices.ContainsFunc(d.Seen, func(place string) bool { return !is(place) })
	}
	polled := func(place string) bool { return slices.Contains(q.polls, place) }
	switch state, is := strings.CutPrefix(d.About, "state "); {
	case d.Kind == kindTiming:
		return within(polled)
	case len(d.Pairs) > 0:
		return false
	case d.Kind == kindState && is:
		return q.missed[state] && its == "never has it" && within(polled)
	case d.Kind == kindMember:
		return within(func(place string) bool {
			return q.listed[place+" "+d.About] || others == "has none" && q.listed[place+" "+above(d.About)]
		})
	}
	return false
}

// difference tells of it.
func (q *quick) difference() Difference {
	other := map[string]string{"a": "b", "b": "a"}[q.side]
	states := strings.Join(slices.Sorted(maps.Keys(q.missed)), ", ")
	made := Difference{
		ID: identifier(kindCause, q.side, "ready at once", states), Where: "every lookup", About: "states", Kind: kindCause, Severity: drift.High,
		A: "is ready at once", B: "shows " + states + " before", Count: len(q.polls), Seen: q.polls,
		Relation: Relation{
			Says:   fmt.Sprintf("%s is ready at the first lookups, and %s shows %s before", q.side, other, states),
			Advice: fmt.Sprintf("if %s is a mock server, let its exports take as long (--progress time:40s)", q.side),
		},
	}
	if q.side == "b" {
		made.A, made.B = made.B, made.A
	}
	return made
}
