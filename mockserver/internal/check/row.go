package check

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// row is what the rules know of one row of a file.
type row struct {
	place
	class   class
	time    moment // of an event
	hasTime bool
	digest  uint64    // of the values of the event, without identifiers and time
	known   sourceSet // which sources the row has, empty or null included
	values  [sourceCount]string
	reasons []string
	// installations are those of a profile: subscriptions say more about them than plain lists do.
	listed        []string
	subscriptions []subscription
}

// subscription is one item of a profile's list of installations.
type subscription struct{ installation, optIn, platform string }

// place says where a row stands.
type place struct {
	file int32 // index in the files of the run
	row  int64 // from 1
	line int64 // from 1
}

// class orders the rows about one entity: snapshots, then events in order of time, then rows without a time.
type class uint8

const (
	snapshotRow class = iota
	eventRow
	untimedRow
)

func (r *row) knows(s source) bool          { return r.known.has(s) }
func (r *row) value(s source) string        { return r.values[s] }
func (r *row) isTrue(s source) bool         { return r.values[s] == "true" }
func (r *row) date(s source) (moment, bool) { return parseMoment(r.values[s]) }

func (r *row) set(s source, value string) {
	r.known.add(s)
	if r.values[s] == "" {
		r.values[s] = value
	}
}

func (r *row) reset() {
	for rest := r.known; rest != 0; {
		r.values[rest.pop()] = ""
	}
	r.place, r.class, r.time, r.hasTime, r.digest, r.known = place{}, 0, 0, false, 0, 0
	r.reasons, r.listed, r.subscriptions = r.reasons[:0], r.listed[:0], r.subscriptions[:0]
}

// reader turns the records of one file into rows.
type reader struct {
	layout  *member // of a row
	columns []*member
	decoder jsontext.Decoder
	bytes   bytes.Reader
	row     row
}

// read fills r.row from a record; false: the record cannot be read.
func (r *reader) read(record schemas.Record) bool {
	r.row.reset()
	r.row.row, r.row.line = record.Row, int64(record.Line)
	if record.JSON == nil && !r.cells(record) || record.JSON != nil && !r.item(record.JSON) {
		return false
	}
	r.row.time, r.row.hasTime = parseMoment(r.row.values[eventDate])
	return true
}

// cells reads a CSV row. Of a row with one cell too many, as the specification's sample of a userbase is, with a
// date that the header does not have, only the columns before and behind all dates can be told.
func (r *reader) cells(record schemas.Record) bool {
	if r.columns == nil {
		for _, name := range record.Header {
			r.columns = append(r.columns, r.layout.Members[name])
		}
	}
	sum := digest(0)
	surplus := len(record.Cells) - len(r.columns)
	first, last := r.dates()
	if surplus < 0 || surplus > 1 || surplus == 1 && first < 0 {
		return false
	}
	for i, column := range r.columns {
		at := i
		if surplus == 1 && i >= first {
			if at = i + 1; i <= last {
				continue
			}
		}
		if column != nil {
			r.value(column, strings.Clone(record.Cells[at]), &sum)
		}
	}
	r.row.digest = uint64(sum)
	return true
}

// dates are the first and the last column that hold a date, -1 for none.
func (r *reader) dates() (first, last int) {
	first, last = -1, -1
	for i, column := range r.columns {
		if column == nil || !slices.Contains(allDates, column.Source) {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	return first, last
}

// value notes what a member prints.
func (r *reader) value(m *member, text string, sum *digest) {
	if m.Source == noSource {
		return
	}
	text = strings.ReplaceAll(text, "\r\n", "\n") // as it is read in CSV
	if !m.Source.identifies() {
		sum.add(byte(m.Source), text)
	}
	r.row.set(m.Source, m.neutral(text))
}

// digest is a sum of values in any order: files may order their members as they like.
type digest uint64

func (d *digest) add(tag byte, text string) {
	const prime = 1_099_511_628_211 // FNV-1a
	sum := (uint64(14_695_981_039_346_656_037) ^ uint64(tag)) * prime
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * prime
	}
	sum ^= sum >> 32
	*d += digest(sum * 0x9e37_79b9_7f4a_7c15)
}

// item reads a JSON text.
func (r *reader) item(text []byte) bool {
	r.bytes.Reset(text)
	r.decoder.Reset(&r.bytes)
	sum := digest(0)
	if r.any(r.layout, &sum, nil) != nil {
		return false
	}
	r.row.digest = uint64(sum)
	return true
}

// any reads the next value. Inside of a list of installations, its values belong to the item.
func (r *reader) any(m *member, sum *digest, item *subscription) error {
	if m == nil {
		return r.decoder.SkipValue()
	}
	switch r.decoder.PeekKind() {
	case '{':
		return r.object(m, sum, item)
	case '[':
		return r.list(m, sum)
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return err
	}
	text := ""
	if token.Kind() != 'n' {
		text = token.String()
	}
	switch {
	case item == nil:
		r.value(m, text, sum)
	case m.Source == installationID:
		item.installation = text
	case m.Source == isOptIn:
		item.optIn = m.neutral(text)
	case m.Source == platform:
		item.platform = m.neutral(text)
	}
	return nil
}

func (r *reader) object(m *member, sum *digest, item *subscription) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	for r.decoder.PeekKind() != '}' {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return err
		}
		if err := r.any(m.Members[name.String()], sum, item); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *reader) list(m *member, sum *digest) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	r.row.known.add(m.Source)
	for r.decoder.PeekKind() != ']' {
		var err error
		switch {
		case m.Source == eventReasons && r.decoder.PeekKind() == '"':
			var token jsontext.Token
			if token, err = r.decoder.ReadToken(); err == nil {
				r.row.reasons = append(r.row.reasons, token.String())
				sum.add(byte(eventReasons), token.String())
			}
		case m.Source == installationList:
			err = r.installation(m.Items, sum)
		default:
			err = r.decoder.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *reader) installation(m *member, sum *digest) error {
	var item subscription
	detailed := r.decoder.PeekKind() == '{'
	if err := r.any(m, sum, &item); err != nil {
		return err
	}
	switch {
	case item.installation == "":
	case detailed:
		r.row.subscriptions = append(r.row.subscriptions, item)
	default:
		r.row.listed = append(r.row.listed, item.installation)
	}
	return nil
}
