package conversation_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestServerDoesAsExpected: our server answers each conversation of the program as its steps expect.
func TestServerDoesAsExpected(t *testing.T) {
	t.Parallel()
	talks := must.Get(conversation.Default(library(t)))(t)
	for _, each := range talks {
		t.Run(each.Name, func(t *testing.T) {
			t.Parallel()
			for _, text := range unmet(t, each) {
				t.Error(text)
			}
		})
	}
}

// TestWrongExpectation: each kind of expectation is unmet if it is wrong.
func TestWrongExpectation(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct{ name, right, wrong, says string }{
		"status":   {"userbase", "status: [202]", "status: [201]", "create: the status is 202"},
		"statuses": {"filtered-rate", "10 x 202", "9 x 202", "burst: the statuses are"},
		"error":    {"legacy-links", "error: LINK_EXPIRED", "error: LINK_INVALID", "shortly after its end: the error is"},
		"code":     {"lookup-authentication", "code: 10", "code: 11", "legacy without: the code is"},
		"schema":   {"userbase", "schema: legacy/created.response.json", "schema: legacy/error.json", "create: the answer does not fit"},
		"header":   {"legacy-links", "^bytes 0-9/", "^bytes 1-9/", "a part of it: Content-Range is"},
		"one of":   {"failed-export", "one_of: [ERROR]", "one_of: [SUCCESS]", "poll: /status is"},
		"like":     {"userbase", "^/1[.]0/", "^/2[.]7/", "poll: /uri is"},
		"not":      {"legacy-links", `/file_url: {not: "{link}"}`, `/id: {not: "{export}"}`, "look up again: /id is"},
		"there":    {"userbase", "there: false", "there: true", "poll: /error_msg is there: false"},
		"missing":  {"userbase", "there: false", `like: ""`, "poll: /error_msg is there: false"},
		"states":   {"userbase", "CREATED, PENDING", "PENDING, CREATED", "poll: the states are"},
		"poll":     {"userbase", "most: 360", "most: 1", "poll: it ends with CREATED"},
		"columns":  {"userbase", "columns: [install_id, custom_id", "columns: [custom_id, install_id", "file: the columns are"},
		"rows":     {"userbase", "rows: some", "rows: none", "file: there are 3"},
		"fits":     {"userbase", "file: legacy/userbase.row.json", "file: legacy/campaign.ids.row.json", "file: it does not fit"},
		"values":   {"userbase", `["true", "false"]`, `["true"]`, "file: is_optin_push is false"},
		"items":    {"profiles-reachability", "/event/channel: [PUSH,", "/event/channel: [", "file: /event/channel is PUSH"},
		"since":    {"profiles-events", `since: {/event_date: "{day-14}`, `since: {/event_date: "{day-3}`, "file: /event_date is"},
		"until":    {"campaign-events", `until: {event_date: "{day}`, `until: {event_date: "{day-13}`, "file: event_date is"},
		"place":    {"campaign-events", "until: {event_date", "until: {another", "file: there is no another"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			text := must.Get(os.ReadFile("default/" + c.name + ".yaml"))(t)
			made := must.Get(conversation.Read(library(t), bytes.Replace(text, []byte(c.right), []byte(c.wrong), 1)))(t)
			if all := unmet(t, made); !strings.Contains(strings.Join(all, "\n"), c.says) {
				t.Errorf("%q is unmet, and not %q", all, c.says)
			}
		})
	}
}

// unmet plays a conversation with a server whose clock is moved instead of waiting, and returns what is not as it expects.
func unmet(t *testing.T, its *conversation.Conversation) (all []string) {
	t.Helper()
	mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Lints: mocktest.Ignore})
	player := conversation.Player{
		Library: library(t), Client: mock.Transport(), Base: mocktest.Base, Values: conversation.DemoValues(),
		Now: mock.Clock().Now, Pause: mock.Clock().Sleep,
	}
	var heard []*conversation.Answer
	player.Heard = func(step *conversation.Step, values conversation.Values, answer *conversation.Answer) {
		if heard = append(heard, answer); answer.Last {
			j := judge{library: player.Library, step: step, values: values}
			j.answers(heard)
			all, heard = append(all, j.unmet...), nil
		}
	}
	if err := player.Play(t.Context(), its); err != nil {
		all = append(all, err.Error())
	}
	return all
}

// judge holds the answers to a step against what it expects.
type judge struct {
	library *schemas.Library
	step    *conversation.Step
	values  conversation.Values
	unmet   []string
}

func (j *judge) want(met bool, format string, arguments ...any) {
	if !met {
		j.unmet = append(j.unmet, j.step.Name+": "+fmt.Sprintf(format, arguments...))
	}
}

func (j *judge) answers(heard []*conversation.Answer) {
	expect, poll, last := j.step.Expect, j.step.Poll, heard[len(heard)-1]
	var statuses, states []string
	for _, each := range heard {
		j.answer(each)
		statuses = append(statuses, fmt.Sprint(each.Status))
		if poll != nil {
			state, _ := each.Member(poll.Member)
			states = append(states, fmt.Sprint(state))
		}
	}
	if expect.Statuses != nil {
		var wanted []string
		for _, run := range expect.Statuses {
			count, status := 0, ""
			_, _ = fmt.Sscanf(run, "%d x %s", &count, &status) // the schema says so
			wanted = append(wanted, slices.Repeat([]string{status}, count)...)
		}
		j.want(slices.Equal(statuses, wanted), "the statuses are %v, not %v", statuses, expect.Statuses)
	}
	if poll != nil {
		_, ended := last.Member(poll.Or)
		state := states[len(states)-1]
		j.want(poll.Or != "" && ended || slices.Contains(poll.Until, state), "it ends with %s", state)
	}
	if expect.States != nil {
		place := func(state string) int { return slices.Index(expect.States, state) }
		inOrder := slices.IsSortedFunc(states, func(a, b string) int { return place(a) - place(b) })
		j.want(inOrder && place(states[0]) >= 0, "the states are %v, not %v", states, expect.States)
	}
	for pointer, shape := range expect.Members {
		found, there := last.Member(pointer)
		j.shape(pointer, fmt.Sprint(found), there, shape)
	}
	if j.step.File != "" {
		j.file(last.Body)
	}
}

func (j *judge) answer(a *conversation.Answer) {
	expect := j.step.Expect
	j.want(expect.Status == nil || slices.Contains(expect.Status, a.Status), "the status is %d, not %v", a.Status, expect.Status)
	for name, shape := range expect.Headers {
		j.shape(name, a.Header.Get(name), a.Header.Values(name) != nil, shape)
	}
	if expect.Schema != "" {
		err := j.library.Validate(expect.Schema, a.JSON)
		j.want(err == nil, "the answer does not fit %s: %v", expect.Schema, err)
	}
	kind, there := a.Member("/type") // of the legacy interface
	if !there {
		kind, _ = a.Member("/error_code")
	}
	j.want(expect.Error == "" || kind == expect.Error, "the error is %v, not %s", kind, expect.Error)
	if expect.Code != nil {
		code, _ := a.Member("/code")
		j.want(fmt.Sprint(code) == fmt.Sprint(*expect.Code), "the code is %v, not %d", code, *expect.Code)
	}
}

func (j *judge) shape(what, found string, there bool, want conversation.Shape) {
	j.want(there == (want.There == nil || *want.There), "%s is there: %v", what, there)
	if !there {
		return
	}
	is := func(one any) bool { return fmt.Sprint(j.values.JSON(one)) == found }
	j.want(want.OneOf == nil || slices.ContainsFunc(want.OneOf, is), "%s is %s, none of %v", what, found, want.OneOf)
	j.want(regexp.MustCompile(want.Like).MatchString(found), "%s is %s, not like %s", what, found, want.Like)
	j.want(want.Not == "" || !is(want.Not), "%s is %s still", what, found)
}

func (j *judge) file(text []byte) {
	expect, columns, found := j.step.Expect.File, []string(nil), map[string][]string{}
	summary, err := j.library.ReadFile(j.step.File, bytes.NewReader(text), func(r schemas.Record) error {
		columns = slices.Clone(r.Header)
		for i, name := range r.Header[:min(len(r.Header), len(r.Cells))] {
			leaves(r.Cells[i], name, found)
		}
		if r.JSON == nil {
			return nil
		}
		value, err := schemas.Decode(r.JSON)
		leaves(value, "", found)
		return err
	}, func(fault schemas.Fault) bool {
		j.want(!expect.Fits, "it does not fit: %v", fault)
		return true
	})
	j.want(err == nil, "the file cannot be read: %v", err)
	j.want(expect.Columns == nil || slices.Equal(columns, expect.Columns), "the columns are %v", columns)
	j.want(expect.Rows == "" || (expect.Rows == "some") == (summary.Rows > 0), "there are %d rows", summary.Rows)
	all := func(place string, fine func(string) bool) {
		j.want(found[place] != nil, "there is no %s", place)
		if i := slices.IndexFunc(found[place], func(value string) bool { return !fine(value) }); i >= 0 {
			j.want(false, "%s is %s", place, found[place][i])
		}
	}
	for place, allowed := range expect.Values {
		all(place, func(value string) bool {
			return slices.ContainsFunc(allowed, func(one any) bool { return fmt.Sprint(one) == value })
		})
	}
	for place, since := range expect.Since {
		all(place, func(value string) bool { return value >= j.values.Text(since) })
	}
	for place, until := range expect.Until {
		all(place, func(value string) bool { return value < j.values.Text(until) })
	}
}

// leaves adds the values of a row that say something, by their columns or pointers, with * for the numbers of items.
func leaves(value any, place string, into map[string][]string) {
	switch of := value.(type) {
	case map[string]any:
		for name, member := range of {
			leaves(member, place+"/"+name, into)
		}
	case []any:
		for _, item := range of {
			leaves(item, place+"/*", into)
		}
	case nil:
	default:
		if text := fmt.Sprint(of); text != "" {
			into[place] = append(into[place], text)
		}
	}
}
