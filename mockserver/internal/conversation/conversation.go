package conversation

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"
)

// Conversation is one file.
type Conversation struct {
	Name  string `json:"-"` // that of the file, without what it ends with
	About string `json:"about"`
	// Needs says what not every service has: Mock is the scenarios and the clock of a mock server.
	Needs []string `json:"needs,omitempty"`
	// Interface is the one whose words {credential}, {scheme}, {project} and {created} are.
	Interface string `json:"interface,omitempty"`
	// Headers go with every request for a path, unless its step says otherwise; none go with a link.
	Headers map[string]*string `json:"headers,omitempty"`
	Steps   []Step             `json:"steps"`
}

// Mock is the need of a conversation that only mock servers can have.
const Mock = "mock"

// Step is one of a conversation: it waits, and it asks.
type Step struct {
	Name    string   `json:"name"`
	Wait    Duration `json:"wait,omitempty"`
	Request *Request `json:"request,omitempty"`
	// Times is how often the request is sent, one after the other; 0 is once.
	Times int   `json:"times,omitempty"`
	Poll  *Poll `json:"poll,omitempty"`
	// Creates tells that the request makes an export if the service takes it.
	Creates bool `json:"creates,omitempty"`
	// Capture keeps members of the answer, by JSON Pointer or as "header NAME", under names for later steps.
	Capture map[string]string `json:"capture,omitempty"`
	// File says that the answer is a file, of this output schema.
	File   string `json:"file,omitempty"`
	Expect Expect `json:"expect,omitempty"`
}

// Request is what is sent: to a path of the service, or to a link that it gave.
type Request struct {
	Method  string             `json:"method,omitempty"`
	Path    string             `json:"path,omitempty"`
	URL     string             `json:"url,omitempty"`
	Headers map[string]*string `json:"headers,omitempty"`
	JSON    any                `json:"json,omitempty"`
	Body    *string            `json:"body,omitempty"`
}

// Verb is the method.
func (r *Request) Verb() string { return cmp.Or(r.Method, "GET") }

// Poll asks again until a member of the answer is one of some values.
type Poll struct {
	Member string   `json:"member"`
	Until  []string `json:"until"`
	// Or ends it as well: a member that is there, whatever it says.
	Or    string   `json:"or,omitempty"`
	Every Duration `json:"every"`
	Most  int      `json:"most"`
}

// Expect is what an answer should be. What is not named may be anything.
type Expect struct {
	Status []int `json:"status,omitempty"`
	// Statuses are those of a request that is sent several times, each once for a run of equal ones: "10 x 202".
	Statuses []string `json:"statuses,omitempty"`
	// Error is the name of a refusal, Code its number.
	Error string `json:"error,omitempty"`
	Code  *int   `json:"code,omitempty"`
	// Schema is that of the body.
	Schema  string           `json:"schema,omitempty"`
	Headers map[string]Shape `json:"headers,omitempty"`
	Members map[string]Shape `json:"members,omitempty"`
	States  []string         `json:"states,omitempty"` // no other may be seen, and none before one that stands before it
	File    File             `json:"file,omitempty"`
}

// File is what a file should be like.
type File struct {
	Columns []string          `json:"columns,omitempty"`
	Values  map[string][]any  `json:"values,omitempty"` // of columns or members of the rows: no other
	Since   map[string]string `json:"since,omitempty"`  // dates in the rows that nothing is before
	Until   map[string]string `json:"until,omitempty"`  // dates in the rows that everything is before
	Rows    string            `json:"rows,omitempty"`   // "some" or "none"
	Fits    bool              `json:"fits,omitempty"`   // every row fits the schema
}

// Shape is what is expected of a header or a member.
type Shape struct {
	// There is whether it is there; nil does not say.
	There *bool `json:"there,omitempty"`
	// OneOf are the values that it may have, Like a regular expression that it has to match.
	OneOf []any  `json:"one_of,omitempty"`
	Like  string `json:"like,omitempty"`
	// Not is a value that it must not have.
	Not string `json:"not,omitempty"`
}

// Duration is a time.Duration as "2s".
type Duration time.Duration

// UnmarshalJSON reads it.
func (d *Duration) UnmarshalJSON(text []byte) error {
	var written string
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	read, err := time.ParseDuration(written)
	if err != nil {
		return fmt.Errorf("%q is no duration such as 2s or 21m", written)
	}
	*d = Duration(read)
	return nil
}

// Exports is how many exports a conversation makes if everything is taken.
func (c *Conversation) Exports() (count int) {
	for _, each := range c.Steps {
		if each.Creates {
			count += max(each.Times, 1)
		}
	}
	return count
}

// LongestWait is the longest time that a step waits before it asks.
func (c *Conversation) LongestWait() (longest time.Duration) {
	for _, each := range c.Steps {
		longest = max(longest, time.Duration(each.Wait))
	}
	return longest
}

// ReadsOnly tells whether a conversation sends nothing but GET and HEAD.
func (c *Conversation) ReadsOnly() bool {
	for _, each := range c.Steps {
		if each.Request != nil && each.Request.Verb() != "GET" && each.Request.Verb() != "HEAD" {
			return false
		}
	}
	return true
}
