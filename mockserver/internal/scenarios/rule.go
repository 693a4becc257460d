// Package scenarios decides which of the scenarios that were set under /_mock/scenarios have a part in a request. It keeps nothing and
// knows no HTTP: a [Set] is a value that its owner keeps, and every change gives another one.
package scenarios

import (
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Rule is a scenario for the requests that it matches: for all of them, or for the next few.
type Rule struct {
	// ID names the rule; [Set.Add] gives it out.
	ID string `json:"id"`
	// Match says which requests it is for.
	Match Match `json:"match"`
	// Times is for how many requests it still is. 0 means that it stands until it is deleted.
	Times int `json:"times,omitempty"`
	// From and To, if set, are the instants between which it is in force, by the clock of the request's key: From is inside, To is not.
	From *time.Time `json:"from,omitempty"`
	To   *time.Time `json:"to,omitempty"`
	// Scenario is what it does.
	Scenario exports.Scenario `json:"scenario"`
	// CreatedAt is when it was added.
	CreatedAt time.Time `json:"created_at"`
}

// Match says which requests a rule is for. Empty members match everything.
type Match struct {
	// Method is the method, exactly.
	Method string `json:"method,omitempty"`
	// Path is the path as it was sent, where * stands for any text.
	Path string `json:"path,omitempty"`
	// Stage is the group of the request.
	Stage exports.Stage `json:"stage,omitempty"`
	// Kind is the kind of export, such as campaign.events.
	Kind string `json:"kind,omitempty"`
	// Key is the application key or project key of the request, or of the export that a link belongs to.
	Key string `json:"key,omitempty"`
	// Target is the campaign token, group identifier or segment code of the export, where * stands for any text.
	Target string `json:"target,omitempty"`
}

// Request is what rules know of a request. What is not known is empty, and matches only rules that do not ask for it.
type Request struct {
	Method, Path, Kind, Key, Target string
	Stage                           exports.Stage
	// Now is what the clock of the key shows.
	Now time.Time
}

// Matches tells whether a request is one of those.
func (m Match) Matches(r Request) bool { return m.matches(&r) }

func (m *Match) matches(r *Request) bool {
	return same(m.Method, r.Method) && same(string(m.Stage), string(r.Stage)) && same(m.Kind, r.Kind) && same(m.Key, r.Key) &&
		(m.Path == "" || fits(m.Path, r.Path)) && (m.Target == "" || fits(m.Target, r.Target))
}

func same(wanted, found string) bool { return wanted == "" || wanted == found }

// fits tells whether a text has the shape of a pattern, in which * stands for any text, also for none.
func fits(pattern, text string) bool {
	if strings.IndexByte(pattern, '*') < 0 {
		return pattern == text
	}
	pieces := strings.Split(pattern, "*")
	rest, begins := strings.CutPrefix(text, pieces[0])
	last := pieces[len(pieces)-1]
	if !begins || !strings.HasSuffix(rest, last) {
		return false
	}
	rest = rest[:len(rest)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(rest, piece) // the first place leaves the most for the others
		if !found {
			return false
		}
		rest = after
	}
	return true
}

// appliesTo tells whether the rule is in force for a request, and has something to say about it. See
// docs/how-to/force-errors.md#which-requests-consume-a-scenario-with-times
func (r *Rule) appliesTo(request *Request) bool {
	if !r.Match.matches(request) {
		return false
	}
	if r.From != nil && request.Now.Before(*r.From) || r.To != nil && !request.Now.Before(*r.To) {
		return false
	}
	return r.Scenario.Says(request.Stage) || request.Stage == exports.StageCreate && !r.Remembered().IsZero()
}

// Remembered is what an export takes along from the rule that was in force when it was made. Only a rule for creations alone leaves
// something behind: any other one is for the later requests as well, as long as it is there.
func (r Rule) Remembered() exports.Scenario {
	if r.Match.Stage != exports.StageCreate {
		return exports.Scenario{}
	}
	return r.Scenario.Remembered()
}
