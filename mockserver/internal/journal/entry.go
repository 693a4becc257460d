package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// Entry is one request and what was decided about it. What does not apply to a request is left at its zero value.
type Entry struct {
	// Sequence counts requests from 1. It is given by [Journal.Record].
	Sequence uint64 `json:"sequence"`
	// RequestID is what the header X-Request-Id of the answer says.
	RequestID string `json:"request_id"`
	// Time is what the clock of the server showed, RealTime what the machine's did, in UTC.
	Time     time.Time `json:"time"`
	RealTime time.Time `json:"real_time"`
	// ClockFrozen tells that the clock of the server stood still.
	ClockFrozen bool `json:"clock_frozen,omitempty"`
	// Duration is how long the decision took, or the whole of a download, in seconds of the machine.
	Duration float64 `json:"duration_seconds"`

	Method string `json:"method"`
	// Path and Query are as they were sent, shortened and redacted.
	Path  string `json:"path"`
	Query string `json:"query,omitempty"`
	// Route is the name of the route; empty if there was none.
	Route string `json:"route,omitempty"`
	// Stage is the group of requests that the route belongs to, as scenarios name it: create, status, list, download or file; empty if
	// there was no route.
	Stage string `json:"-"`
	// Interface is legacy or profiles: that of the route, or of the routes that begin as a path does that has none; empty for file links.
	Interface string `json:"interface,omitempty"`
	// Key is the application key (legacy) or project key (profiles) that the request named, or that the export of a file belongs to.
	Key string `json:"key,omitempty"`
	// Credentials names the headers with credentials that were sent; their values are never kept.
	Credentials []string `json:"credentials,omitempty"`
	UserAgent   string   `json:"user_agent,omitempty"`
	// RequestBytes is the length of the body, as far as it was read.
	RequestBytes int64 `json:"request_bytes"`

	// Status is the HTTP status of the answer, ResponseBytes the length of its body, so far if Open.
	Status        int   `json:"status"`
	ResponseBytes int64 `json:"response_bytes"`
	// Error is what was refused and why; nil for all other answers.
	Error *Refusal `json:"error,omitempty"`
	// RetryAfter is the header Retry-After of the answer, in seconds.
	RetryAfter int `json:"retry_after_seconds,omitempty"`
	// Replayed is the number of the recorded exchange that was answered; 0 for none.
	Replayed uint64 `json:"replayed,omitempty"`
	// NotRecorded says why a replay had no answer.
	NotRecorded string `json:"not_recorded,omitempty"`
	// Applied lists the scenarios that had a part in the answer, the strongest first.
	Applied []Applied `json:"applied,omitempty"`

	// Kind and Export are the export that the request made, looked up or downloaded.
	Kind   string `json:"kind,omitempty"`
	Export string `json:"export,omitempty"`
	// ExportStatus is the status that a lookup answered, Parts how many files it listed.
	ExportStatus string `json:"export_status,omitempty"`
	Parts        int    `json:"parts,omitempty"`
	// Listed are the first exports that a list showed, at most MostListed.
	Listed []Listed `json:"listed,omitempty"`
	// Part is the part that a download asked for, from 1.
	Part int `json:"part,omitempty"`
	// Open tells of a download that is still under way, Broken of one that ended before its end: the client left, or a fault cut it.
	Open   bool `json:"open,omitempty"`
	Broken bool `json:"broken,omitempty"`
	// Asked and Oldest are set when a creation asked for more than there is: the window begins at Oldest although the payload says Asked.
	Asked  *time.Time `json:"asked_from,omitempty"`
	Oldest *time.Time `json:"oldest_from,omitempty"`

	// Unjudged tells that a person sent the request, by a page of the server or by hand: no lint is about it.
	Unjudged bool `json:"unjudged,omitempty"`
	// Doubts are what a creation asked for and hardly meant.
	Doubts Doubts `json:"-"`
	// Received is which bytes of a file a download sent, if it said so.
	Received Range `json:"-"`
	// Redirected tells of a download to which a redirect within one origin led: a client sends its credentials along by right.
	Redirected bool `json:"-"`

	// digest tells bodies apart that look alike when shortened.
	digest uint64
	// body is the beginning of the body. A short one is not copied: nobody changes it.
	body []byte
}

// answered is when the answer was there, or the whole of a download.
func (e *Entry) answered() time.Time {
	return e.RealTime.Add(time.Duration(e.Duration * float64(time.Second)))
}

// knows tells whether who sent a request knew the answer to another one: it came before.
func (e *Entry) knows(other *Entry) bool { return !e.RealTime.Before(other.answered()) }

// Doubts are what a creation asked for and hardly meant. The zero value is none.
type Doubts struct {
	// WithoutDollar are native attributes without their $.
	WithoutDollar []Doubt
	// Undeclared are custom attributes that nobody declared, where others are.
	Undeclared []Doubt
	// Placeholders are parameters of the path that a client left unfilled.
	Placeholders []Doubt
	// NoEvents says why nothing can have happened in the window; empty: it can.
	NoEvents string
}

// Doubt is a name, and the one that was probably meant; empty: none is likely. Of a placeholder it is the parameter and the value.
type Doubt struct{ Name, Likely string }

// Range is a part of a file: [From, To) of Size bytes. The zero value is not known, or several ranges.
type Range struct{ From, To, Size int64 }

// bytes is about how much memory an entry takes. What may be changed after it was recorded has no part in it.
func (e *Entry) bytes() int64 {
	const listed, applied, instant = int64(unsafe.Sizeof(Listed{})), int64(unsafe.Sizeof(Applied{})), int64(unsafe.Sizeof(time.Time{}))
	size := int64(unsafe.Sizeof(*e)) + int64(len(e.RequestID)+len(e.Path)+len(e.Query)+len(e.Key)+len(e.UserAgent)+len(e.Export)+cap(e.body))
	for _, each := range e.Listed {
		size += listed + int64(len(each.Export))
	}
	for _, each := range e.Applied {
		size += applied + int64(len(each.Source)+len(each.Rule)+len(each.Scenario))
	}
	if e.Error != nil {
		size += int64(unsafe.Sizeof(*e.Error)) + int64(len(e.Error.Message))
	}
	if e.Asked != nil {
		size += 2 * instant
	}
	return size
}

// Body is the beginning of the body of the request.
func (e *Entry) Body() string { return strings.ToValidUTF8(string(e.body), "\uFFFD") }

// MarshalJSON adds the body and the reason.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry // without this method
	return json.Marshal(struct {
		plain
		Body   string `json:"body,omitempty"`
		Reason string `json:"reason"`
	}{plain(e), e.Body(), e.Reason()})
}

// StageCallback is the stage and the route of callbacks, which the server sends.
const StageCallback = "callback"

// MostListed is how many exports of a list an entry keeps: the newest.
const MostListed = 25

// Listed is an export as a list showed it.
type Listed struct {
	Export string `json:"export"`
	Status string `json:"export_status"`
	Parts  int    `json:"parts,omitempty"`
}

// Refusal is an error that was answered.
type Refusal struct {
	Name    string `json:"name"`
	Code    int    `json:"code,omitempty"` // of the legacy interface
	Message string `json:"message"`
	// Forced tells that a scenario asked for the error: it says nothing about the client.
	Forced bool `json:"forced,omitempty"`
}

// Applied is a scenario that had a part in an answer.
type Applied struct {
	// Source says where it came from, such as "header".
	Source string `json:"source"`
	// Rule is the identifier of a scenario that was set beforehand.
	Rule string `json:"id,omitempty"`
	// Scenario is what it asks for, in the spelling in which it was asked for.
	Scenario string `json:"scenario"`
}

// Forced tells whether the answer was asked for beforehand, so that it says nothing about the client.
func (e *Entry) Forced() bool { return e.Error != nil && e.Error.Forced }

// under tells whether a scenario with this part had to do with the answer.
func (e *Entry) under(part string) bool {
	return slices.ContainsFunc(e.Applied, func(applied Applied) bool { return strings.Contains(applied.Scenario, part) })
}

// brokenOff tells of a download that a scenario broke off.
func (e *Entry) brokenOff() bool { return e.Broken && len(e.Applied) > 0 }

// Reason says in one sentence what was decided and why.
func (e *Entry) Reason() string {
	switch {
	case e.Error != nil:
		return e.Error.Message
	case e.Stage == StageCallback:
		return fmt.Sprintf("a callback told that the export is %s, and was answered %d", e.ExportStatus, e.Status)
	case e.Status == 0 && e.Broken:
		return "the connection was reset before the answer, as a scenario asked"
	case e.ExportStatus != "" && e.Parts > 0:
		return fmt.Sprintf("the export is %s and has %s", e.ExportStatus, counted(e.Parts, "file"))
	case e.ExportStatus != "":
		return "the export is " + e.ExportStatus
	case e.Listed != nil:
		return fmt.Sprintf("the list shows %s", counted(len(e.Listed), "export"))
	case e.Part > 0 && e.Broken:
		return fmt.Sprintf("the download of part %d ended after %d bytes, before its end", e.Part, e.ResponseBytes)
	case e.Part > 0 && e.Open:
		return fmt.Sprintf("part %d is being sent", e.Part)
	case e.Part > 0 && e.Status >= 300 && e.Status < 400:
		return fmt.Sprintf("part %d lies behind a link", e.Part)
	case e.Part > 0 && e.Method == "HEAD":
		return fmt.Sprintf("part %d is there", e.Part)
	case e.Part > 0:
		return fmt.Sprintf("part %d was sent", e.Part)
	case e.Export != "" && e.Asked != nil:
		return fmt.Sprintf("the export was created; its window begins at %s, not at %s, for older events are not kept",
			e.Oldest.Format(time.RFC3339), e.Asked.Format(time.RFC3339))
	case e.Export != "":
		return "the export was created"
	default:
		return "the request was answered"
	}
}

func counted(number int, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}
