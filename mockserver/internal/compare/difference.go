package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// Difference is one way in which the services differ, however often it was seen.
type Difference struct {
	// ID stays the same from run to run, whatever the wording.
	ID string `json:"id"`
	// Where is the endpoint, About what of its answers.
	Where    string         `json:"where"`
	About    string         `json:"about"`
	Kind     string         `json:"kind"`
	Severity drift.Severity `json:"severity"`
	A        string         `json:"a"`
	B        string         `json:"b"`
	Count    int            `json:"count"`
	// Seen are the steps in which it was seen, as CONVERSATION/STEP.
	Seen []string `json:"seen"`
	// Pairs are all values that were seen, if A and B, which are the first, do not hold in every step.
	Pairs []Pair `json:"pairs,omitempty"`
	// Once says that the first service was asked only once, so that this may be what it changes itself.
	Once bool `json:"once,omitempty"`
	// Relation is how it stands to others.
	Relation Relation `json:"relation,omitzero"`
}

// Relation is what a difference has to do with others.
type Relation struct {
	// Follows is the difference that this one follows from, or that tells of it and others together.
	Follows string `json:"follows,omitempty"`
	// At are the endpoints, if it is the same at several.
	At []string `json:"at,omitempty"`
	// Says is a cause in a sentence, Advice what to look at, and Hinders are the conversations that could not be compared because of it.
	Says    string   `json:"says,omitempty"`
	Advice  string   `json:"advice,omitempty"`
	Hinders []string `json:"hinders,omitempty"`
	// wider is the identifier of what would tell of the same at all endpoints.
	wider string
}

// Pair is what the services say in some of the steps.
type Pair struct {
	A    string   `json:"a"`
	B    string   `json:"b"`
	Seen []string `json:"seen"`
}

// String is the difference in a line. It shows a few pairs of values at most.
func (d Difference) String() string {
	if d.Relation.Says != "" {
		return fmt.Sprintf("%s %s: %s [%s]", d.ID, d.Severity, d.Relation.Says, d.Kind)
	}
	const most = 4
	said := fmt.Sprintf("a %s; b %s", d.A, d.B)
	for i := 1; i < min(len(d.Pairs), most); i++ {
		said += fmt.Sprintf(" | a %s; b %s", d.Pairs[i].A, d.Pairs[i].B)
	}
	if more := len(d.Pairs) - most; more > 0 {
		said += fmt.Sprintf(" | %d more", more)
	}
	return fmt.Sprintf("%s %s: %s: %s: %s [%s]", d.ID, d.Severity, d.Where, d.About, said, d.Kind)
}

// severities by the kind of a fact; what is missing there or more is said below.
var severities = map[string]drift.Severity{
	kindStatus: drift.High, kindError: drift.High, kindState: drift.High, kindTransition: drift.High, kindLayout: drift.High, kindCompression: drift.Medium,
	kindMember: drift.Medium, kindColumn: drift.Medium, kindValue: drift.Medium, kindOrder: drift.Medium, kindRows: drift.Medium, kindHeader: drift.Low, kindTiming: drift.Low,
}

// relied are headers that clients rely on.
var relied = []string{"Content-Type", "Content-Encoding", "Location", "Retry-After", "Allow", "Accept-Ranges", "Content-Range", "Etag", "Content-Disposition"}

// identifier is one made of what stays the same.
func identifier(of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// differ collects differences.
type differ struct {
	made   map[string]*Difference
	order  []string
	causes []*cause
}

func (d *differ) found(made Difference, seen string) {
	same := []string{made.Where, made.About, made.Kind}
	if made.Kind == kindStatus || made.Kind == kindError {
		same = append(same, made.A, made.B) // what is said of some steps is not so of others
	}
	made.ID = identifier(same...)
	known := d.made[made.ID]
	if known == nil {
		known = &made
		d.made[made.ID] = known
		d.order = append(d.order, made.ID)
	}
	known.Count++
	known.Once = known.Once && made.Once
	if made.Severity.AtLeast(known.Severity) {
		known.Severity = made.Severity
	}
	known.Seen = with(known.Seen, seen)
	at := slices.IndexFunc(known.Pairs, func(p Pair) bool { return p.A == made.A && p.B == made.B })
	if at < 0 {
		at = len(known.Pairs)
		known.Pairs = append(known.Pairs, Pair{A: made.A, B: made.B})
	}
	known.Pairs[at].Seen = with(known.Pairs[at].Seen, seen)
}

// with is a list with a step, once.
func with(steps []string, step string) []string {
	if slices.Contains(steps, step) {
		return steps
	}
	return append(steps, step)
}

// compare finds what is different between conversations with a, twice, and one with b. The second one with a may be nil.
func (d *differ) compare(a, again, b *Transcript) {
	for _, said := range a.Steps {
		other := b.step(said.Name)
		place := a.Conversation + "/" + said.Name
		if other == nil {
			continue
		}
		before := len(d.order)
		d.step(said, again.step(said.Name), other, place)
		if len(d.order) > before || d.seen(place) {
			continue
		}
		for _, each := range []struct {
			its, others []string
			is          string
		}{{said.Unmet, other.Unmet, "a"}, {other.Unmet, said.Unmet, "b"}} {
			for _, unmet := range each.its {
				if slices.Contains(each.others, unmet) {
					continue
				}
				made := Difference{Where: said.Where, About: "what " + place + " expects", Kind: "expectation", Severity: drift.High, A: "does it", B: "does it", Once: again == nil}
				if each.is == "a" {
					made.A = "does not: " + unmet
				} else {
					made.B = "does not: " + unmet
				}
				d.found(made, place)
			}
		}
	}
	d.ended(a, b, again == nil)
}

// seen tells whether a difference was seen in a step.
func (d *differ) seen(place string) bool {
	for _, each := range d.made {
		if slices.Contains(each.Seen, place) {
			return true
		}
	}
	return false
}

// ended finds a conversation that broke off with one of them, if nothing else says so.
func (d *differ) ended(a, b *Transcript, once bool) {
	if (a.Broken == "") == (b.Broken == "") {
		return
	}
	broken := a
	if b.Broken != "" {
		broken = b
	}
	place := a.Conversation
	if step, _, is := strings.Cut(strings.TrimPrefix(broken.Broken, "step "), ":"); is && d.seen(place+"/"+step) {
		return
	}
	goes := func(t *Transcript) string { return cmp.Or(t.Broken, "goes on to the end") }
	d.found(Difference{Where: place, About: "the conversation", Kind: "broken", Severity: drift.High, A: goes(a), B: goes(b), Once: once}, place)
}

// step finds what is different in one step.
func (d *differ) step(a, again, b *Said, place string) {
	first, second := a.Facts, facts(nil)
	if again != nil {
		second = again.Facts
	}
	about := map[string]bool{}
	for _, of := range []facts{first, second, b.Facts} {
		for name := range of {
			about[name] = true
		}
	}
	var found []Difference
	for _, name := range slices.Sorted(maps.Keys(about)) {
		if made := differs(name, first, second, b.Facts); made != nil {
			made.Where, made.About, made.Once = a.Where, name, again == nil
			found = append(found, *made)
		}
	}
	for _, each := range roots(found) {
		d.found(each, place)
	}
}

// roots are differences without those that follow from another one in the same step: in an answer with another status all
// is otherwise, unless both say that the request was taken; below a member that is not there nothing is, and with another column the order is another.
func roots(found []Difference) []Difference {
	is := func(name string) func(Difference) bool { return func(d Difference) bool { return d.About == name } }
	status := slices.ContainsFunc(found, func(d Difference) bool { return d.About == "status" && !(taken(d.A) && taken(d.B)) })
	refusal := slices.ContainsFunc(found, is("error"))
	packed := slices.ContainsFunc(found, is("compression of the file"))
	columns := slices.ContainsFunc(found, func(d Difference) bool { return d.Kind == kindColumn && !strings.Contains(d.About, ",") })
	return slices.DeleteFunc(slices.Clone(found), func(d Difference) bool {
		switch {
		case status && d.About != "status" && d.About != "statuses" && (d.About != "error" || d.A == "has none" || d.B == "has none"),
			refusal && d.Kind == kindMember,
			packed && d.About == "header Content-Encoding",
			columns && d.About == "columns in order":
			return true
		case d.Kind != kindMember:
			return false
		}
		pointer, within, _ := strings.Cut(d.About, " when ")
		return slices.ContainsFunc(found, func(other Difference) bool {
			above, also, _ := strings.Cut(other.About, " when ")
			return other.Kind == kindMember && also == within && above != pointer && strings.HasPrefix(pointer, above+"/") &&
				(other.A == "has none" || other.B == "has none")
		})
	})
}

// taken tells whether a side of a difference has no status but such as come with the whole of what was asked for.
func taken(side string) bool {
	return !slices.ContainsFunc(strings.Split(strings.TrimPrefix(side, "has "), ", "), func(status string) bool {
		return !slices.Contains([]string{"200", "201", "202"}, status)
	})
}
