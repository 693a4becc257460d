package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// Fact is one thing that is so in the answers to a step.
type Fact struct {
	Kind string `json:"kind"`
	// Seen is what there was, by its shape, and how often.
	Seen map[string]int64 `json:"seen"`
	// Of is out of how many, for what is said of the rows of a file: a few of them may differ by chance. 0: it is so or not.
	Of int64 `json:"of,omitempty"`
	// Within is the state in which it is so; if a service never shows that state, nothing is missing.
	Within string `json:"within,omitempty"`
}

// Kinds of facts.
const (
	kindStatus      = "status"
	kindError       = "error"
	kindHeader      = "header"
	kindMember      = "member"
	kindState       = "state"
	kindTransition  = "transition"
	kindTiming      = "timing"
	kindLayout      = "layout"
	kindCompression = "compression"
	kindColumn      = "column"
	kindValue       = "value"
	kindOrder       = "order"
	kindRows        = "rows"
)

// facts are those of one step, by what they are about.
type facts map[string]*Fact

func (f facts) add(kind, about, seen string) *Fact {
	made := f[about]
	if made == nil {
		made = &Fact{Kind: kind, Seen: map[string]int64{}}
		f[about] = made
	}
	made.Seen[seen]++
	return made
}

// passing are headers that say nothing about the service, or that no two answers share.
var passing = []string{"Date", "Content-Length", "Connection", "Keep-Alive", "Transfer-Encoding", "X-Mock-Replay", "Age", "Last-Modified", "Expires"}

// spoken are headers whose text counts, not only its shape.
var spoken = []string{"Content-Type", "Cache-Control", "Allow", "Accept-Ranges", "Vary", "Content-Encoding", "X-Content-Type-Options", "Www-Authenticate"}

// headers notes the headers of an answer.
func (f facts) headers(header http.Header, within string, named map[string]string) {
	for name, values := range header {
		if slices.Contains(passing, name) {
			continue
		}
		text := strings.Join(values, ", ")
		seen := known(text, named)
		switch {
		case slices.Contains(spoken, name):
			seen = "a text" + saying + strings.ToLower(strings.ReplaceAll(text, "; ", ";"))
		case name == "Etag":
			seen = "a strong tag"
			if strings.HasPrefix(text, "W/") {
				seen = "a weak tag"
			}
		case name == "Content-Disposition":
			kind, _, _ := strings.Cut(text, ";")
			seen = "a text" + saying + strings.TrimSpace(kind)
		case name == "Content-Range":
			unit, _, _ := strings.Cut(text, " ")
			seen = "a text" + saying + unit
		case strings.HasPrefix(name, "X-") && strings.Contains(strings.ToLower(name), "id"):
			seen = "an identifier" // of the request, mostly
		}
		f.add(kindHeader, "header "+drift.MemberName(name), seen).Within = within
	}
}

// members notes every member of a value of JSON.
func (f facts) members(value any, pointer, within string, named map[string]string, number bool) {
	about := "member " + pointer
	if within != "" {
		about += " when " + within
	}
	note := func(seen string) { f.add(kindMember, about, seen).Within = within }
	switch v := value.(type) {
	case map[string]any:
		if pointer != "" {
			note("an object")
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f.members(v[name], pointer+"/"+drift.MemberName(name), within, named, number)
		}
	case []any:
		note("an array")
		for _, item := range v {
			f.members(item, pointer+"/*", within, named, number)
		}
	default:
		note(shapeOf(v, named, number))
	}
}

// refusal notes the name and the number of an error, wherever they stand.
func (f facts) refusal(status int, value any) {
	object, _ := value.(map[string]any)
	var said []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch v := object[name].(type) {
		case json.Number:
			said = append(said, v.String())
		case string:
			if drift.IsWord(v) && strings.ToUpper(v) == v {
				said = append(said, v)
			}
		}
	}
	f.add(kindError, "error", fmt.Sprintf("an error%s%s", saying, strings.Join(append([]string{fmt.Sprint(status)}, said...), " ")))
}
