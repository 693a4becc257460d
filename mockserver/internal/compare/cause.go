package compare

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// kindCause is the kind of a difference from which others follow: one service answers all that the other takes with one status,
// or is ready before its states can be seen.
const kindCause = "cause"

// talk is one conversation with both.
type talk struct{ a, again, b *Transcript }

// visit is one step of a path that both answered, as one of them is looked at for a cause.
type visit struct {
	place, conversation, where, path string
	its, others                      answered
}

// answered is how a step was answered.
type answered struct{ statuses, errors []string }

// only tells whether one status was the answer, always.
func (a answered) only(status string) bool { return len(a.statuses) == 1 && a.statuses[0] == status }

// takes tells whether what was asked was taken, always.
func (a answered) takes() bool {
	return len(a.statuses) > 0 && !slices.ContainsFunc(a.statuses, func(s string) bool { return s >= "300" })
}

// cause is why one service answers nothing but one status below a path.
type cause struct {
	side, under, status string
	always              bool // it answers nothing else at all
	visits              []visit
}

// passingStatuses are those with which a service refuses for a while what it takes at other times.
var passingStatuses = []string{"429", "500", "502", "503", "504"}

// causes are those of all conversations.
func causes(talks []talk) (made []*cause) {
	for _, side := range []string{"a", "b"} {
		made = append(made, causesOf(side, visitsOf(side, talks))...)
	}
	// What explains the most is the cause of the rest: of a page that takes everything, the other one refuses much.
	slices.SortStableFunc(made, func(a, b *cause) int { return len(b.visits) - len(a.visits) })
	explained := map[string]bool{}
	return slices.DeleteFunc(made, func(c *cause) bool {
		more := slices.ContainsFunc(c.visits, func(v visit) bool { return !explained[v.place] })
		for _, each := range c.visits {
			explained[each.place] = true
		}
		return !more
	})
}

// visitsOf are the steps of paths; links are asked only of a service that gave one.
func visitsOf(side string, talks []talk) (made []visit) {
	for _, each := range talks {
		its, others := each.a, each.b
		if side == "b" {
			its, others = each.b, each.a
		}
		for _, said := range its.Steps {
			other := others.step(said.Name)
			_, path, _ := strings.Cut(said.Where, " ")
			if other == nil || !strings.HasPrefix(path, "/") {
				continue
			}
			v := visit{its.Conversation + "/" + said.Name, its.Conversation, said.Where, path, said.answered(), other.answered()}
			if len(v.its.statuses) > 0 && len(v.others.statuses) > 0 {
				made = append(made, v)
			}
		}
	}
	return made
}

// answered is how the step was answered.
func (s *Said) answered() (made answered) {
	if of := s.Facts["status"]; of != nil {
		made.statuses = slices.Sorted(maps.Keys(of.Seen))
	}
	if of := s.Facts["error"]; of != nil {
		made.errors = slices.Sorted(maps.Keys(of.Seen))
	}
	return made
}

// causesOf looks below every path, the shortest first: what explains a version explains all endpoints of it.
func causesOf(side string, visits []visit) (made []*cause) {
	above := map[string]bool{}
	for _, each := range visits {
		for at := 0; at >= 0 && at < len(each.path); {
			above[each.path[:at]] = true
			next := strings.Index(each.path[at+1:], "/")
			if next < 0 {
				break
			}
			at += 1 + next
		}
		above[each.path] = true
	}
	for _, under := range slices.Sorted(maps.Keys(above)) {
		if slices.ContainsFunc(made, func(c *cause) bool { return below(under, c.under) }) {
			continue
		}
		within := slices.DeleteFunc(slices.Clone(visits), func(v visit) bool { return !below(v.path, under) })
		if found := refusing(within); found != nil {
			found.side, found.under = side, common(within)
			made = append(made, found)
		}
	}
	return append(made, passingCauses(side, visits)...)
}

// below tells whether a path is another one or under it.
func below(path, above string) bool { return path == above || strings.HasPrefix(path, above+"/") }

// common is the longest path that all are under.
func common(visits []visit) string {
	shared := visits[0].path
	for _, each := range visits {
		for !below(each.path, shared) {
			shared = shared[:strings.LastIndex(shared, "/")]
		}
	}
	return shared
}

// refusing finds that all that the other takes is answered with one status, and nothing is taken; or that all is answered
// with one status, whatever the other says. It takes two endpoints to tell that from a difference at one.
func refusing(visits []visit) *cause {
	const endpoints, others = 2, 3
	status, taken, told, all := "", map[string]bool{}, map[string]bool{}, map[string]bool{}
	takes, one := false, true
	for _, each := range visits {
		if all[each.where] = true; !each.its.only(visits[0].its.statuses[0]) {
			one = false
		}
		for _, said := range each.others.statuses {
			told[said] = true
		}
		takes = takes || slices.ContainsFunc(each.its.statuses, func(s string) bool { return s < "300" })
		if !each.others.takes() {
			continue
		}
		if status == "" {
			status = each.its.statuses[0]
		}
		if taken[each.where] = true; !each.its.only(status) {
			takes = true
		}
	}
	switch {
	case one && len(all) >= endpoints && len(told) >= others:
		status = visits[0].its.statuses[0]
	case takes || len(taken) < endpoints:
		return nil
	}
	return &cause{status: status, always: one, visits: slices.DeleteFunc(slices.Clone(visits), func(v visit) bool { return !v.its.only(status) })}
}

// passingCauses finds that some of what the other takes is refused for a while, in several conversations.
func passingCauses(side string, visits []visit) (made []*cause) {
	const endpoints, conversations = 2, 2
	for _, status := range passingStatuses {
		found := &cause{side: side, status: status}
		wheres, talks := map[string]bool{}, map[string]bool{}
		for _, each := range visits {
			if each.its.only(status) && !each.others.only(status) {
				found.visits = append(found.visits, each)
				if each.others.takes() {
					wheres[each.where], talks[each.conversation] = true, true
				}
			}
		}
		if len(wheres) >= endpoints && len(talks) >= conversations {
			found.under = common(found.visits)
			made = append(made, found)
		}
	}
	return made
}

// explains tells whether what is otherwise in a step is so because of it. Who is refused for a credential that the other
// takes is refused as without one, so that both can be compared where both refuse so, but for what was wrong with it.
func (c *cause) explains(place, about string) bool {
	return slices.ContainsFunc(c.visits, func(v visit) bool {
		credential := c.status == "401" || c.status == "403"
		return v.place == place && (!credential || !v.others.only(c.status) || about == "header Www-Authenticate")
	})
}

// difference tells of it.
func (c *cause) difference(talks []talk) Difference {
	its, others, words := map[string]bool{}, map[string]int64{}, map[string]int64{}
	made := Difference{
		Where: "every path", About: "status", Kind: kindCause, Severity: drift.High,
		ID: identifier(kindCause, c.side, c.under, c.status), Relation: Relation{Advice: c.advice()},
	}
	if c.under != "" {
		made.Where += " under " + c.under
	}
	for _, each := range c.visits {
		if !c.explains(each.place, "") || each.others.only(c.status) && slices.Equal(each.its.errors, each.others.errors) {
			continue
		}
		made.Count++
		made.Seen = with(made.Seen, each.place)
		its[each.conversation] = true
		for _, said := range each.others.statuses {
			others[said]++
		}
		for _, said := range each.its.errors {
			words[strings.TrimPrefix(strings.TrimPrefix(said, "an error"+saying), c.status+" ")]++
		}
	}
	has := c.status
	if told := strings.TrimPrefix(list(words), "has "); told != "" && told != c.status {
		has += " " + told
	}
	made.A, made.B = list(others), "has "+has
	made.Relation.Says = fmt.Sprintf("b answers %s to %s", has, c.what("a"))
	if c.side == "a" {
		made.A, made.B = made.B, made.A
		made.Relation.Says = fmt.Sprintf("a answers %s to %s", has, c.what("b"))
	}
	for _, each := range talks {
		if its[each.a.Conversation] && c.hinders(each) {
			made.Relation.Hinders = append(made.Relation.Hinders, each.a.Conversation)
		}
	}
	return made
}

// what is what it answers so.
func (c *cause) what(other string) string {
	under := ""
	if c.under != "" {
		under = " under " + c.under
	}
	if c.always {
		return "every request" + under
	}
	return "what " + other + " takes" + under
}

// hinders tells whether a conversation was not had to its end because of it, or is explained by it altogether.
func (c *cause) hinders(t talk) bool {
	its, others := t.a, t.b
	if c.side == "b" {
		its, others = t.b, t.a
	}
	if len(its.Steps) == 0 {
		return false
	}
	if last := its.Steps[len(its.Steps)-1]; its.Broken != "" && c.explains(its.Conversation+"/"+last.Name, "") {
		return true
	}
	return !slices.ContainsFunc(its.Steps, func(s *Said) bool {
		return others.step(s.Name) != nil && !c.explains(its.Conversation+"/"+s.Name, "")
	})
}

// advice says what to look at.
func (c *cause) advice() string {
	switch {
	case c.status == "401" || c.status == "403":
		return fmt.Sprintf("do the values of --%s-values hold credentials that the service knows, and in the headers that it reads?", c.side)
	case c.status == "404" || c.status == "405" || c.status == "410":
		return fmt.Sprintf("is --%s the address with its base path, and does the service speak this version? Conversations with other paths go into --conversations", c.side)
	case c.status < "300":
		return fmt.Sprintf("is --%s the service itself, and no page in front of it?", c.side)
	case c.status < "400":
		return fmt.Sprintf("name the address that it leads to in --%s", c.side)
	case c.status == fmt.Sprint(http.StatusTooManyRequests):
		return fmt.Sprintf("%s wants fewer requests: compare later or less of it (--only, --budget), and use --keep so that nothing is asked twice", c.side)
	}
	return fmt.Sprintf("%s may be out of order: compare when it answers again", c.side)
}
