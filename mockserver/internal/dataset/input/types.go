// Package input holds rows as a user gives them: profiles, installations and events from CSV or JSON, read and checked against the
// schemas data/profile.json, data/installation.json and data/event.json, all or none ([Read], [OpenDirectory]). A [Spool] keeps rows on
// their way into a dataset, so that they need not be in memory.
package input

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// Kind is what rows are about.
type Kind string

// The kinds of rows, in the order in which they are loaded together.
const (
	Profiles      Kind = "profiles"
	Installations Kind = "installations"
	Events        Kind = "events"
)

// Kinds are all kinds, in the order in which they are loaded together.
func Kinds() []Kind { return []Kind{Profiles, Installations, Events} }

// Schema is the name of the schema of a row.
func (k Kind) Schema() string {
	switch k {
	case Profiles:
		return "data/profile.json"
	case Installations:
		return "data/installation.json"
	}
	return "data/event.json"
}

// Source gives rows, in their order, as often as it is asked.
type Source interface {
	// Each calls visit with some rows at a time.
	Each(ctx context.Context, visit func([]Row) error) error
}

// Rows is a source that is in memory.
type Rows []Row

// Each implements [Source].
func (r Rows) Each(_ context.Context, visit func([]Row) error) error {
	if len(r) == 0 {
		return nil
	}
	return visit(r)
}

// Row is one row that fits its schema. Its members are read from its text when somebody asks for them.
type Row struct {
	Kind Kind
	Text string // the row as JSON
	// File, Line and Column say where it was read; File is empty for a body.
	File         string
	Line, Column int

	number  int // among the rows read together, from 0
	members []member
}

// memberType is how a member is read.
type memberType byte

const (
	further memberType = iota // only the schemas of an overlay directory know it
	text
	date
	flag
	integer
	list
	other
	hidden // no export shows it
)

// knownMember is a member that is known.
type knownMember struct {
	as     memberType
	number byte // of the member among those of the kind, from 1
}

// knownMembers are those of a kind, by name, and the names by number.
type knownMembers struct {
	byName map[string]knownMember
	names  []string
}

var known = sync.OnceValue(func() map[Kind]*knownMembers {
	found := map[Kind]*knownMembers{}
	for _, kind := range Kinds() {
		found[kind] = &knownMembers{map[string]knownMember{}, []string{""}}
	}
	for _, of := range []struct {
		kind  Kind
		as    memberType
		names string
	}{
		{Profiles, text, "profile_id custom_id email_address mailbox_provider email_marketing phone_number phone_country sms_marketing " +
			"language region timezone"},
		{Profiles, date, "creation_date last_visit_date last_activity last_email_marketing_open last_email_marketing_click " +
			"last_email_transactional_open last_email_transactional_click"},
		{Profiles, list, "segments"},
		{Profiles, other, "attributes"},
		{Installations, text, "install_id profile_id custom_id advertising_id platform smart_segment"},
		{Installations, date, "install_date last_start_date"},
		{Installations, flag, "is_optin is_reachable has_custom_id"},
		{Events, text, "type install_id profile_id custom_id campaign group transactional_token cta click_url click_url_name bounce_code " +
			"bounce_type message_language orchestration_id orchestration_name step_id step_name sent_id ab_testing_status " +
			"ab_testing_variant event_id email_marketing sms_marketing email_address phone_number collection tag attribute"},
		{Events, date, "date"},
		{Events, flag, "machine_open is_optin is_reachable has_custom_id"},
		{Events, integer, "cta_position sms_parts"},
		{Events, list, "reasons"},
		{Events, other, "value"},
		{Events, hidden, "name label tags data"},
	} {
		members := found[of.kind]
		for _, name := range strings.Fields(of.names) {
			members.byName[name] = knownMember{of.as, byte(len(members.names))}
			members.names = append(members.names, name)
		}
	}
	return found
})

// Known reports whether a row of the kind is read with a member of that name.
func (k Kind) Known(name string) bool { return known()[k].byName[name].as != further }

// Append writes the members that an export may show.
func (r *Row) Append(dst []byte) []byte {
	known := known()[r.Kind].byName
	for i := range r.members {
		m := &r.members[i]
		of := known[m.name]
		if of.as == hidden {
			continue
		}
		if dst = append(dst, of.number); of.as == further {
			dst = blocks.AppendText(dst, m.name)
		}
		dst = blocks.AppendText(dst, m.value)
	}
	return dst
}

// RowOf reads what [Row.Append] wrote.
func RowOf(kind Kind, written string) Row {
	row, names := Row{Kind: kind, members: make([]member, 0, 8)}, known()[kind].names
	for d := blocks.NewDecoder(written); !d.Done(); {
		name := names[d.Byte()]
		if name == "" {
			name = d.Text()
		}
		row.members = append(row.members, member{name, d.Text()})
	}
	return row
}

// read finds the members of a row that fits its schema, and appends them to some.
func (r *Row) read(some []member) ([]member, error) {
	begin := len(some)
	all, is := membersOf(r.Text, some)
	if !is {
		return some, fmt.Errorf("no row of %s: %.80s", r.Kind, r.Text)
	}
	r.members = all[begin:len(all):len(all)]
	return all, nil
}

// check refuses members that cannot be shown.
func (r *Row) check() error {
	known := known()[r.Kind].byName
	for i := range r.members {
		if err := r.members[i].check(known[r.members[i].name].as); err != nil {
			return err
		}
	}
	return nil
}

func (m *member) check(as memberType) error {
	is := true
	switch first := m.value[0]; as {
	case text:
		is = first == '"'
	case date:
		if first == '"' && m.value != `""` {
			_, err := secondOf(unquoted(m.value))
			return err
		}
		is = false
	case flag:
		is = first == 't' || first == 'f'
	case integer:
		_, is = integerOf(m.value)
	case list:
		is = first == '[' && json.Unmarshal([]byte(m.value), new([]string)) == nil
	}
	if is || m.value == "null" {
		return nil
	}
	return fmt.Errorf("%s is %.40s, which no export can show", m.name, m.value)
}

// JSON is the value of a member as JSON; "" if it is absent or null.
func (r *Row) JSON(name string) string {
	for i := range r.members {
		if m := &r.members[i]; m.name == name && m.value != "null" {
			return m.value
		}
	}
	return ""
}

// Get is the text of a member; "" if it is absent.
func (r *Row) Get(name string) string {
	if value := r.JSON(name); value != "" && value[0] == '"' {
		return unquoted(value)
	}
	return ""
}

// Type is that of an event. The exports have two names for one of them.
func (r *Row) Type() string {
	if name := r.Get("type"); name != "push_opened" {
		return name
	}
	return "push_open"
}

// Date is a whole second since 1970.
func (r *Row) Date(name string) (second int64, given bool) {
	second, err := secondOf(r.Get(name))
	return second, err == nil
}

// Flag is nil if it is absent.
func (r *Row) Flag(name string) *bool {
	value := r.JSON(name)
	if value == "" {
		return nil
	}
	is := value == "true"
	return &is
}

// List is a list of texts.
func (r *Row) List(name string) (items []string) {
	if value := r.JSON(name); value != "" {
		_ = json.Unmarshal([]byte(value), &items) // as it was checked
	}
	return items
}

// Attributes are the names of the custom attributes of a profile.
func (r *Row) Attributes() (names []string) {
	found, _ := membersOf(r.JSON("attributes"), nil)
	for _, each := range found {
		names = append(names, each.name)
	}
	return names
}

// Value is what the row says under the name of a member: a text, or a number. Times are seconds, and flags 0 and 1.
func (r *Row) Value(name string) (said string, number int64, is bool) {
	switch known()[r.Kind].byName[name].as {
	case text:
		said = r.Get(name)
		return said, 0, said != ""
	case date:
		number, is = r.Date(name)
	case flag:
		value := r.JSON(name)
		if is = value != ""; value == "true" {
			number = 1
		}
	case integer:
		number, is = integerOf(r.JSON(name))
	}
	return "", number, is
}

// Member is the value of a member that only the schemas of an overlay directory know.
func (r *Row) Member(name string) (value any, is bool) {
	if r.Kind.Known(name) {
		return nil, false
	}
	for i := range r.members {
		if r.members[i].name == name {
			return value, Decode(r.members[i].value, &value) == nil
		}
	}
	return nil, false
}

// Decode reads JSON and keeps its numbers as they were written.
func Decode(text string, into any) error {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// Names are the identifiers that a row names; empty ones are not there.
func (r *Row) Names() (profileID, customID, installID string) {
	if r.Kind != Profiles {
		installID = r.Get("install_id")
	}
	return r.Get("profile_id"), r.Get("custom_id"), installID
}

// hasIdentifier reports whether a row has an identifier. The schemas demand
// one, but the rows of a store may have been written by another program.
func (r *Row) hasIdentifier() bool {
	profileID, customID, installID := r.Names()
	return installID != "" || r.Kind != Installations && profileID+customID != ""
}

// secondOf reads a date with or without Z; what is left of a second counts as nothing.
func secondOf(text string) (int64, error) {
	if !strings.HasSuffix(text, "Z") {
		text += "Z"
	}
	date, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, fmt.Errorf("date %.40q: %w", text, err)
	}
	return date.Unix(), nil
}

// integerOf reads an integer of 64 bits as JSON may write it, 1.0 and 1e2 included.
func integerOf(text string) (number int64, is bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err == nil || text == "" {
		return number, err == nil
	}
	exact, valid := new(big.Rat).SetString(text)
	if !valid || !exact.IsInt() || !exact.Num().IsInt64() {
		return 0, false
	}
	return exact.Num().Int64(), true
}
