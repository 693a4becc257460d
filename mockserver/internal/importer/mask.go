package importer

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// LeastPeople is how many people share a text that is kept. Where files name installations only, each counts.
const LeastPeople = 20

// mostShared is how many texts may turn out to be shared. Later ones are replaced, however many people have them.
const mostShared = 10_000

// mask replaces values in rows. A text that enough people share is kept: while rows are read, nobody knows which ones these
// are, so that all become pseudonyms first, and a second pass restores the shared ones.
type mask struct {
	key    *pseudonym.Key     // nil: values stay
	coarse bool               // dates without days, and no closed value that few people share
	final  bool               // all rows were read before, so that shared texts stay
	known  map[string]*layout // what a dataset says of its members
	seed   maphash.Seed
	shared map[string]*shared // by pseudonym
	names  map[string]*Column // by member of a dataset, or column of a file

	who  [len(identities)]string // of the row
	said []string                // pseudonyms in the row
}

// identities are the members that tell who a row is about, the best one first.
var identities = [...]string{customID, profileID, installID}

// shared is a text, and people who have it by each identity, at most [LeastPeople]. One person may have several
// identities, in different files, so that the numbers are never added.
type shared struct {
	text   string
	people [len(identities)]map[uint64]bool
}

func newMask(library *schemas.Library, key *pseudonym.Key, coarse bool) *mask {
	m := &mask{key: key, coarse: coarse, seed: maphash.MakeSeed(), shared: map[string]*shared{}, names: map[string]*Column{}}
	if key != nil {
		m.known = layoutOf([]*jsonschema.Schema{
			library.Schema("data/profile.json"), library.Schema("data/installation.json"), library.Schema("data/event.json"),
		}, nil).members
	}
	return m
}

// Column tells how the values of a member of a dataset, or of a column of a file, came out.
type Column struct {
	Name     string
	Kept     map[string]int64 // values, by the reason
	Replaced int64
}

// value returns a value of a member with pseudonyms. listed are the words that its schema lists.
func (m *mask) value(member string, listed map[string]bool, value json.RawMessage) (json.RawMessage, error) {
	if m.key == nil {
		return value, nil
	}
	plain, err := decode(value)
	if err != nil {
		return nil, err
	}
	if text, is := plain.(string); is {
		for rank, name := range identities {
			if name == member {
				m.who[rank] = text
			}
		}
	}
	return encode(walk(plain, func(value any) any { return m.leaf(member, listed, value) }))
}

// leaf replaces a text, a number or a name of a member of an object.
func (m *mask) leaf(member string, listed map[string]bool, value any) any {
	var text string
	switch of := value.(type) {
	case string:
		text = of
	case json.Number:
		text = of.String()
		if !pseudonym.IsReplaced(member) {
			m.count(member, "two digits of a number")
			return json.Number(pseudonym.Number(text))
		}
	default:
		m.count(member, "yes or no")
		return value
	}
	if of := m.known[member]; (listed[text] || of != nil && of.listed[text]) && !pseudonym.IsReplaced(member) {
		m.count(member, "listed by the schema")
		return text
	}
	made, why := m.key.Text(member, text)
	m.count(member, why)
	switch {
	case why == "" && pseudonym.Shareable(member, text):
		m.note(made, text)
	case why != "" && m.coarse && pseudonym.IsOptional(member): // counted only: many texts may have the known part
		m.note(made, made)
	}
	if m.final {
		made, _ = m.isShared(made)
	}
	return made
}

// text replaces a text, such as the name of an attribute.
func (m *mask) text(member, text string) string {
	if m.key == nil || text == "" {
		return text
	}
	made, _ := m.leaf(member, nil, text).(string)
	return made
}

// note remembers that a row has a text that people may share.
func (m *mask) note(made, text string) {
	if m.shared[made] == nil && len(m.shared) < mostShared {
		m.shared[made] = &shared{text: text}
	}
	m.said = append(m.said, made)
}

// end ends a row.
func (m *mask) end() {
	for rank, who := range m.who {
		if who == "" || rank == len(identities)-1 && (m.who[0] != "" || m.who[1] != "") { // one person has several installations
			continue
		}
		person := maphash.String(m.seed, who)
		for _, made := range m.said {
			of := m.shared[made]
			if of == nil || len(of.people[rank]) >= LeastPeople {
				continue
			}
			if of.people[rank] == nil {
				of.people[rank] = map[uint64]bool{}
			}
			of.people[rank][person] = true
		}
	}
	m.who, m.said = [len(identities)]string{}, m.said[:0]
}

// isShared returns the text behind a pseudonym if enough people have it.
func (m *mask) isShared(made string) (text string, is bool) {
	of := m.shared[made]
	if of == nil || !slices.ContainsFunc(of.people[:], func(people map[uint64]bool) bool { return len(people) >= LeastPeople }) {
		return made, false
	}
	return of.text, true
}

// restored returns a value of a member as it is written at last; nil: it is left out.
func (m *mask) restored(member string, value json.RawMessage) (json.RawMessage, error) {
	if len(value) == 0 || !bytes.ContainsAny(value[:1], `"[{`) || pseudonym.IsReplaced(member) {
		return value, nil
	}
	if isPlain(value) && !m.coarse { // as nearly all are
		if text, is := m.isShared(string(value[1 : len(value)-1])); is {
			return quoted(text), nil
		}
		return value, nil
	}
	plain, err := decode(value)
	if err != nil {
		return nil, err
	}
	if text, is := plain.(string); is && m.coarse {
		_, known := m.isShared(text)
		switch {
		case pseudonym.IsDate(member):
			return quoted(pseudonym.Coarse(text, member == eventDate)), nil
		case pseudonym.IsOptional(member) && !known:
			return nil, nil
		}
	}
	return encode(walk(plain, func(value any) any {
		if text, is := value.(string); is {
			value, _ = m.isShared(text)
		}
		return value
	}))
}

// row restores the members of a row.
func (m *mask) row(row members) (err error) {
	for name, value := range row {
		if row[name], err = m.restored(name, value); err != nil {
			return err
		}
		if row[name] == nil {
			delete(row, name)
		}
	}
	return nil
}

func (m *mask) count(name, why string) {
	if why == pseudonym.Empty {
		return
	}
	of := m.names[name]
	if of == nil {
		of = &Column{Name: name, Kept: map[string]int64{}}
		m.names[name] = of
	}
	if why == "" {
		of.Replaced++
	} else {
		of.Kept[why]++
	}
}

// columns returns how the values of each member came out.
func (m *mask) columns() (all []Column) {
	for _, name := range slices.Sorted(maps.Keys(m.names)) {
		all = append(all, *m.names[name])
	}
	return all
}

// walk replaces the leaves of a value and the names of members in it.
func walk(value any, replace func(any) any) any {
	switch of := value.(type) {
	case []any:
		for i := range of {
			of[i] = walk(of[i], replace)
		}
		return of
	case map[string]any:
		made := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if text, is := replace(name).(string); is {
				made[text] = walk(of[name], replace)
			}
		}
		return made
	case nil:
		return nil
	}
	return replace(value)
}

func decode(text json.RawMessage) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// encode writes JSON without the escapes that are meant for HTML.
func encode(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
