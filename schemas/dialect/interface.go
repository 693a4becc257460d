// Package dialect is how the interfaces of the export API speak: what their schema files say in x-interface,
// and how that reaches the other files.
package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/isoduration"
)

// Interface is how one of the interfaces of the export API speaks (x-interface): common/interface.json says what each member means.
type Interface struct {
	// File is the path of the schema file that says it.
	File    string `json:"-"`
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	// Version is the first segment of its paths.
	Version string `json:"version"`
	// KeyVariable is the variable of its paths that names the application; "" where Headers.Project says who asks, or
	// the credential alone.
	KeyVariable string      `json:"keyVariable"`
	Headers     Headers     `json:"headers"`
	Errors      Errors      `json:"errors"`
	Identifiers Identifiers `json:"identifiers"`
	// States are those of an export, in their order.
	States []State `json:"states"`
	// Retention is how long a request is known; 0 for as long as the server keeps it.
	Retention time.Duration `json:"-"`
	Files     Files         `json:"files"`
	// ActionPrefix begins identifiers of built-in actions in its files.
	ActionPrefix string `json:"actionPrefix"`
	// Callback is the address to which the record of an export is sent when it ends; "" for none.
	Callback string `json:"callback"`
	// Download is where a link that redirects leads to, with variables in braces and with the query; "" where no endpoint redirects.
	Download string `json:"-"`
	// Lints are the severities of lints that differ from the usual ones: error, warning or off.
	Lints map[string]string `json:"lints"`
}

// Headers are the headers of an interface.
type Headers struct {
	// Credential carries the key or the token, behind the word Scheme if there is one.
	Credential string `json:"credential"`
	Scheme     string `json:"scheme"`
	// Project names the project; "" where a variable of the path or the credential says who asks.
	Project string `json:"project"`
	// RetryAfter says how many seconds to wait.
	RetryAfter string `json:"retryAfter"`
	// Answers are further headers of answers, with their values.
	Answers map[string]string `json:"answers,omitempty"`
}

// Example is the header of the credential with a value.
func (h Headers) Example(credential string) string {
	return h.Credential + ": " + h.Value(credential)
}

// Value is what the header of the credential carries.
func (h Headers) Value(credential string) string {
	if h.Scheme == "" {
		return credential
	}
	return h.Scheme + " " + credential
}

// Basic tells whether the credential is the key of a project and its token (RFC 7617).
func (h Headers) Basic() bool { return strings.EqualFold(h.Scheme, "Basic") }

// Token is what the header of the credential of a project carries, in words.
func (h Headers) Token() string {
	switch {
	case strings.EqualFold(h.Scheme, "Bearer"):
		return "a bearer token"
	case h.Basic():
		return "a project key with its token"
	}
	return "a token"
}

// Errors describes the refusals of an interface: the schema and, by source, the members with number, name and message.
type Errors struct {
	Schema  string `json:"schema"`
	Number  string `json:"number"`
	Name    string `json:"name"`
	Message string `json:"message"`
}

// Identifiers describes the identifiers of an interface: the member of a creation with the identifier (by source, a path such as
// data/id), and the prefixes for exports and for parts of files.
type Identifiers struct {
	Created string `json:"created"`
	Export  string `json:"export"`
	File    string `json:"file"`
}

// State is a state of an export, and what it means: waiting, running, done, failed or expired.
type State struct {
	Name string `json:"name"`
	Role string `json:"role"`
}

// Roles of states.
const (
	RoleWaiting = "waiting"
	RoleRunning = "running"
	RoleDone    = "done"
	RoleFailed  = "failed"
	RoleExpired = "expired"
)

// Files are the files of an interface.
type Files struct {
	// PartSize is the most bytes of a part; 0: files are not split.
	PartSize int64  `json:"partSize"`
	Link     string `json:"link"` // signed or redirect
	JSON     string `json:"json"` // array or lines
	// Container is what files are packed into, Gzip or Zip; "" for nothing.
	Container string `json:"container,omitempty"`
	// MediaType is that of files; "" for that of their format or container.
	MediaType string `json:"mediaType,omitempty"`
	// LinkHabits are habits of object stores: get-only, exact-query, xml-errors, credentials.
	LinkHabits []string `json:"linkHabits"`
	// LinkLifetime is how long a link to a file works, and Lifetime how long the file itself lives.
	LinkLifetime isoduration.Duration `json:"linkLifetime"`
	Lifetime     isoduration.Period   `json:"lifetime"`
	// The names of files, with {export}, {part}, {kind} and {format}.
	URLName  string `json:"urlName"`
	Name     string `json:"name"`
	PartName string `json:"partName"`
}

// Containers of files.
const (
	Gzip = "gzip"
	Zip  = "zip"
)

// Redirects tells whether links lead to an endpoint that asks for the credentials and redirects to the file.
func (f Files) Redirects() bool { return f.Link == "redirect" }

// Links tells whether links have a habit.
func (f Files) Links(habit string) bool { return slices.Contains(f.LinkHabits, habit) }

// Lines tells whether JSON files have one object a line.
func (f Files) Lines() bool { return f.JSON == "lines" }

// wireInterface is how an interface stands in a file.
type wireInterface struct {
	Interface
	Retention isoduration.Duration `json:"retention"`
}

func (w wireInterface) read() *Interface {
	made := w.Interface
	made.Retention = time.Duration(w.Retention)
	if made.Headers.RetryAfter == "" {
		made.Headers.RetryAfter = "Retry-After"
	}
	if made.ActionPrefix == "" {
		made.ActionPrefix = specifiedPrefix
	}
	if made.States == nil {
		made.States = []State{{"CREATED", RoleWaiting}, {"PENDING", RoleRunning}, {"SUCCESS", RoleDone}, {"ERROR", RoleFailed}}
	}
	return &made
}

// Fault is what is wrong with a schema file, and where.
type Fault struct{ File, Pointer, Message string }

// Read reads the interfaces out of decoded schema files, and checks each, alone and beside the others.
func Read(documents map[string]any, names []string) ([]Interface, *Fault) {
	var found []Interface
	for _, file := range names {
		root, _ := documents[file].(map[string]any)
		if root["x-interface"] == nil {
			continue
		}
		text, err := json.Marshal(root["x-interface"])
		if err != nil {
			return nil, &Fault{file, "/x-interface", err.Error()}
		}
		wire := wireInterface{Interface: Interface{Files: Files{Link: "signed", JSON: "array",
			LinkLifetime: isoduration.Duration(20 * time.Minute),
			Lifetime:     isoduration.Period{Months: 1}, URLName: "{export}.{part}.{format}", Name: "{kind}.{format}",
			PartName: "{kind}-{part}.{format}"}}}
		if err := json.Unmarshal(text, &wire); err != nil {
			return nil, &Fault{file, "/x-interface", err.Error()}
		}
		each := *wire.read()
		each.File = file
		if at, message := each.fault(); message != "" {
			return nil, &Fault{file, "/x-interface" + at, message}
		}
		for _, other := range found {
			if other.Name == each.Name {
				return nil, &Fault{file, "/x-interface/name", each.Name + " is already the interface of " + other.File + ": an interface has one file"}
			}
		}
		found = append(found, each)
	}
	for i := range found {
		found[i].Download = downloadOf(documents, names, &found[i])
	}
	slices.SortFunc(found, func(a, b Interface) int { return strings.Compare(a.Name, b.Name) })
	for _, needed := range []string{"legacy", "profiles"} {
		if !slices.ContainsFunc(found, func(i Interface) bool { return i.Name == needed }) {
			return nil, &Fault{needed + "/interface.json", "/x-interface", "is missing: say how the interface " + needed +
				" speaks, as common/interface.json describes"}
		}
	}
	return found, nil
}

// takenHeaders are headers that have a meaning of their own in every request or answer.
var takenHeaders = []string{"Accept", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Host", "Origin", "Range",
	"Transfer-Encoding", "User-Agent", "X-Mock-Lint", "X-Mock-Scenario", "X-Request-Id"}

// answerHeaders are headers of answers that say something else than how long to wait.
var answerHeaders = []string{"Accept-Ranges", "Allow", "Authorization", "Cache-Control", "Content-Disposition", "Content-Range", "ETag",
	"Last-Modified", "Location", "Referrer-Policy", "Vary", "WWW-Authenticate", "X-Content-Type-Options"}

// fault says what of an interface contradicts something else of it, and where; "" for nothing. The vocabulary
// has checked each member alone.
func (i Interface) fault() (at, message string) {
	for _, header := range []struct{ member, name string }{{"credential", i.Headers.Credential}, {"project", i.Headers.Project}, {"retryAfter",
		i.Headers.RetryAfter}} {
		if header.member == "retryAfter" && slices.ContainsFunc(answerHeaders, func(taken string) bool {
			return strings.EqualFold(taken,
				header.name)
		}) {
			return "/headers/retryAfter", header.name + " says something else: write another header, such as Retry-After"
		}
		if slices.ContainsFunc(takenHeaders, func(taken string) bool { return strings.EqualFold(taken, header.name) }) {
			return "/headers/" + header.member, header.name +
				" means something else in every request: write the name of a header of the interface alone, such as X-Authorization"
		}
	}
	for name := range i.Headers.Answers {
		if slices.ContainsFunc(slices.Concat(takenHeaders, answerHeaders, []string{i.Headers.RetryAfter}),
			func(taken string) bool { return strings.EqualFold(taken, name) }) {
			return "/headers/answers", name + " says something else: write the name of a header of the interface alone, such as X-Quota-Left"
		}
	}
	switch {
	case strings.EqualFold(i.Headers.Credential, i.Headers.Project):
		return "/headers/project", i.Headers.Project + " carries the credential already: write another header, such as X-Service-Project"
	case i.KeyVariable != "" && i.Headers.Project != "":
		return "/headers/project", "and keyVariable both say who asks: leave one of them out"
	case i.Headers.Basic() && i.KeyVariable+i.Headers.Project != "":
		return "/headers/scheme", "is " + i.Headers.Scheme + ", which says who asks: leave out headers.project and keyVariable"
	case i.Retention != 0 && i.Retention < time.Hour:
		return "/retention", "is shorter than an hour: an export would be forgotten before its link has ended; write PT1H or longer"
	case i.Files.PartSize > 0 && i.Files.Redirects() && i.Identifiers.File == "":
		return "/identifiers/file",
			"is missing, and files have parts: write how their identifiers begin, such as file_, or leave out files.partSize"
	}
	if i.Files.LinkLifetime < isoduration.Duration(time.Second) {
		return "/files/linkLifetime", "is shorter than a second: a link would never work; write a duration such as PT20M"
	}
	if i.Files.Lifetime.Months == 0 && i.Files.Lifetime.Duration < isoduration.Duration(time.Second) {
		return "/files/lifetime", "is shorter than a second: there would never be a file; write a period such as P1M"
	}
	if at, message := i.stateFault(); message != "" {
		return "/states" + at, message
	}
	if at, message := i.Files.fault(); message != "" {
		return "/files/" + at, message
	}
	return "", ""
}

// stateFault says what is wrong with the states.
func (i Interface) stateFault() (at, message string) {
	order := []string{RoleWaiting, RoleRunning, RoleDone, RoleFailed, RoleExpired}
	count, last := map[string]int{}, 0
	for index, state := range i.States {
		place := slices.Index(order, state.Role)
		for before, other := range i.States[:index] {
			if other.Name == state.Name {
				return fmt.Sprintf("/%d/name", index),
					fmt.Sprintf("%s is already the name of the state %d, which is %s: every state has a name of its own", state.Name, before+1, other.Role)
			}
		}
		if count[state.Role]++; count[state.Role] > 1 && state.Role != RoleRunning {
			return fmt.Sprintf("/%d/role", index), "there is a state already that is " + state.Role + ": only running may be the role of several"
		}
		if place < last {
			return fmt.Sprintf("/%d/role", index), state.Role + " comes before " + order[last] +
				": write the states in the order waiting, running, done, failed, expired"
		}
		last = place
	}
	for _, needed := range []string{RoleWaiting, RoleDone, RoleFailed} {
		if count[needed] == 0 {
			return "", "no state is " + needed + ": add one, such as {\"name\": \"" + exampleStates[needed] + "\", \"role\": \"" + needed + "\"}"
		}
	}
	return "", ""
}

var exampleStates = map[string]string{RoleWaiting: "CREATED", RoleDone: "SUCCESS", RoleFailed: "ERROR"}

// fault says what is wrong with the names of files.
func (f Files) fault() (at, message string) {
	switch before, after, found := strings.Cut(f.URLName, "{export}"); {
	case !found:
		return "urlName", f.URLName + " does not tell exports apart: write {export} in it, such as {export}.{part}.{format}"
	case strings.Contains(after, "{export}"):
		return "urlName", f.URLName + " has {export} twice: write it once"
	case strings.Contains(before, "{part}") || strings.Count(after, "{part}") > 1:
		return "urlName", f.URLName + " must have {part} once, behind {export}, such as {export}.{part}.{format}"
	case after != "" && !strings.HasPrefix(after, ".") && !strings.HasPrefix(after, "~"):
		return "urlName", f.URLName + " does not say where the identifier of the export ends: write a dot or nothing behind {export}"
	case f.PartSize > 0 && !strings.Contains(after, "{part}"):
		return "urlName", f.URLName + " does not tell parts apart: write {part} in it, or leave out partSize"
	case strings.Contains(before, "{kind}") || strings.Contains(before, "{format}"):
		return "urlName", f.URLName + " must have {kind} and {format} behind {export}"
	case strings.Contains(after, "}{"):
		return "urlName", f.URLName + " does not say where a placeholder ends: write a dot between two"
	case strings.Contains(f.Name, "{part}"):
		return "name", f.Name + " has {part}, and a whole file has none: write it in partName"
	case f.PartSize > 0 && !strings.Contains(f.PartName, "{part}"):
		return "partName", f.PartName + " does not tell parts apart: write {part} in it"
	}
	return "", ""
}
