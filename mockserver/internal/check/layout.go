package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// member is one value of a row.
type member struct {
	Source  source            // what it prints; the zero value for nothing that is known
	Neutral map[string]string // from the word in the file to the neutral one; nil: they are the same
	Journey []schemas.Step
	Allowed map[string]bool // the texts of an enumeration; nil: none is named
	Members map[string]*member
	Items   *member
}

// readMember reads schemas together with all that they refer to, whatever the conditions: a column means the same under each of
// them. What is above is left out, since it comes again.
func readMember(roots, above []*jsonschema.Schema) *member {
	made := &member{}
	properties := map[string][]*jsonschema.Schema{}
	var items, seen []*jsonschema.Schema
	var add func(s *jsonschema.Schema)
	add = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(seen, s) || slices.Contains(above, s) {
			return
		}
		seen = append(seen, s)
		made.add(s)
		for name, property := range s.Properties {
			properties[name] = append(properties[name], property)
		}
		items = append(items, s.Items2020)
		for _, part := range slices.Concat([]*jsonschema.Schema{s.Ref, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
			add(part)
		}
	}
	for _, root := range roots {
		add(root)
	}
	below := slices.Concat(above, seen)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if made.Members == nil {
			made.Members = map[string]*member{}
		}
		made.Members[name] = readMember(properties[name], below)
	}
	if slices.ContainsFunc(items, func(s *jsonschema.Schema) bool { return s != nil }) {
		made.Items = readMember(items, below)
	}
	return made
}

// add notes what one schema says of the value itself.
func (m *member) add(s *jsonschema.Schema) {
	keywords := schemas.KeywordsOf(s)
	if m.Source == noSource {
		m.Source = sourceNames[keywords.Source]
	}
	if m.Journey == nil {
		m.Journey = keywords.Journey
	}
	if m.Neutral == nil && keywords.WireNames != nil {
		m.Neutral = map[string]string{}
		for neutral, wire := range keywords.WireNames {
			m.Neutral[wire] = neutral
		}
	}
	if m.Neutral == nil && slices.Contains(flagSources, m.Source) {
		m.Neutral = flagWords
	}
	for _, value := range s.Enum {
		if text, ok := value.(string); ok {
			if m.Allowed == nil {
				m.Allowed = map[string]bool{}
			}
			m.Allowed[text] = true
		}
	}
}

// neutral is the neutral word for one in the file.
func (m *member) neutral(text string) string {
	if neutral, known := m.Neutral[text]; known {
		return neutral
	}
	return text
}

// find is the first member below that prints a source, nil if none does.
func (m *member) find(wanted source) *member {
	if m == nil {
		return nil
	}
	if m.Source == wanted {
		return m
	}
	for _, name := range slices.Sorted(maps.Keys(m.Members)) {
		if found := m.Members[name].find(wanted); found != nil {
			return found
		}
	}
	return m.Items.find(wanted)
}

// nameOf is the name of a member that prints a source, the uppermost one; "" for none.
func (m *member) nameOf(wanted source) string {
	if m == nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(m.Members))
	for _, name := range names {
		if m.Members[name].Source == wanted {
			return name
		}
	}
	for _, name := range names {
		if found := m.Members[name].nameOf(wanted); found != "" {
			return found
		}
	}
	return m.Items.nameOf(wanted)
}

// itemsFit are the exports in JSON that know most of the members, at least half of them.
func itemsFit(exports []schemas.Export, members []string, layouts map[string]*member) (found []schemas.Export) {
	best := 0
	for _, export := range exports {
		if export.Format != "json" {
			continue
		}
		known := 0
		for _, name := range members {
			outer, inner, nested := strings.Cut(name, "/")
			below := layouts[export.Kind].Members[outer]
			if nested && below != nil {
				below = below.Members[inner]
			}
			if below != nil {
				known++
			}
		}
		switch {
		case 2*known < len(members) || known == 0 || known < best:
		case known > best:
			best, found = known, []schemas.Export{export}
		default:
			found = append(found, export)
		}
	}
	return found
}

// tableFits are the exports that know the columns of a header best. Files that differ only in what they
// hold are told apart by the first rows.
func tableFits(exports []schemas.Export, header, rest string, layouts map[string]*member,
	library *schemas.Library) (found []schemas.Export) {
	best := -1 << 30
	for _, export := range exports {
		if export.Format != "csv" {
			continue
		}
		schema := library.Schema(export.Output)
		separator := schemas.KeywordsOf(schema).CSV.Separator
		if at := strings.IndexAny(header, filetype.Separators); at >= 0 && !strings.Contains(header, separator) {
			separator = header[at : at+1] // a fault, and not another kind
		}
		cells := strings.Split(header, separator)
		score := 0
		for i := range cells {
			cells[i] = strings.Trim(cells[i], `"`)
			if layouts[export.Kind].Members[cells[i]] != nil {
				score += 2
			} else {
				score--
			}
		}
		for _, required := range schema.Required {
			if !slices.Contains(cells, required) {
				score -= 2
			}
		}
		if score <= 0 {
			continue
		}
		if typesFit(layouts[export.Kind], cells, separator, rest) {
			score++
		}
		if score > best {
			best, found = score, nil
		}
		if score < best {
			continue
		}
		found = append(found, export)
	}
	return found
}

// typesFit reports whether the event type of the first row is one of the journey.
func typesFit(row *member, header []string, separator, rest string) bool {
	reader := filetype.NewCSV(strings.NewReader(rest), rune(separator[0])) // a cell may have ends of lines
	reader.LazyQuotes = true
	cells, _ := reader.Read()
	for i, name := range header {
		column := row.Members[name]
		if column == nil || column.Journey == nil || i >= len(cells) || len(cells) != len(header) {
			continue
		}
		return column.Allowed[cells[i]]
	}
	return true
}
