package actions

import (
	core "github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

// Result is what a perform has come to. It does not change.
type Result struct {
	result core.Result
}

// Status gives one of the constants that begin with Status.
func (r *Result) Status() string {
	defer contain()
	return string(r.result.Status)
}

// IsPerformed reports whether the status is [StatusPerformed].
func (r *Result) IsPerformed() bool {
	defer contain()
	return r.result.Performed()
}

// Message gives one sentence for a person, "" when the action was performed. Do not depend on its wording.
func (r *Result) Message() string {
	defer contain()
	return valid(r.result.Message)
}

// Value gives what the action gave, or null when that is nothing. The built-ins that ask for a permission give its state as a text
// when the host knows it, service.rating gives "requested".
func (r *Result) Value() *Value {
	defer contain()
	return valueOf(r.result.Value, r.result.Value != nil)
}

// ItemCount gives the number of results of a group that ran, and 0 for everything else.
func (r *Result) ItemCount() int32 {
	defer contain()
	return int32(len(r.result.Items))
}

// Item gives the result of a group's item at a position from 0, or null when there is no such item.
func (r *Result) Item(position int32) *Result {
	defer contain()
	if position < 0 || int(position) >= len(r.result.Items) {
		return nil
	}
	return &Result{r.result.Items[position]}
}

// Check throws unless the action was performed: the very exception that the action or the host threw if it did, otherwise an
// error whose code is the status.
func (r *Result) Check() (err error) {
	defer containAs(&err)
	return leaving(r.result.Err(), StatusFailed)
}

// JSON gives {"status", "message", "value", "items"}: the message when there is one, the value when there is one, the items of a
// group that ran. The error is for a number that is infinite or none.
func (r *Result) JSON() (json string, err error) {
	defer containAs(&err)
	text, err := actionsjson.AppendResult(nil, r.result)
	if err != nil {
		return "", leaving(err, StatusInvalidArguments)
	}
	return string(text), nil
}

// Problem is one reason why perform would refuse an action. It does not change.
type Problem struct {
	problem core.Problem
}

// Pointer gives the place as a JSON Pointer into the arguments, such as "/l"; "" stands for the action as a whole.
func (p *Problem) Pointer() string {
	defer contain()
	return valid(p.problem.At)
}

// Status gives the status that it leads to.
func (p *Problem) Status() string {
	defer contain()
	return string(p.problem.Status)
}

// Message gives one sentence for a person: what is wrong, what was found, what is allowed.
func (p *Problem) Message() string {
	defer contain()
	return valid(p.problem.Message)
}

// ProblemList is all reasons, sorted by place. It does not change.
type ProblemList struct {
	problems []core.Problem
}

// Count gives the number of problems; 0 says that perform would not refuse.
func (l *ProblemList) Count() int32 {
	defer contain()
	return int32(len(l.problems))
}

// At gives the problem at a position from 0, or null when there is no such position.
func (l *ProblemList) At(position int32) *Problem {
	defer contain()
	if position < 0 || int(position) >= len(l.problems) {
		return nil
	}
	return &Problem{l.problems[position]}
}

// JSON gives an array of {"at", "status", "message"}.
func (l *ProblemList) JSON() string {
	defer contain()
	return string(actionsjson.AppendProblems(nil, l.problems))
}
