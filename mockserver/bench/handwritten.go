package main

import (
	"fmt"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// rowWriter adds one row to dst, written by hand: one file, every column of it, in straight code. It prints the values of the same
// world, so that what is compared is the writing.
type rowWriter func(dst []byte, row *world.Row) []byte

// handwritten are the kinds that have a writer by hand.
var handwritten = map[string]func(*facts) rowWriter{
	"userbase":            handwrittenUserbase,
	"campaign.events":     handwrittenCampaignEvents,
	"profiles.events":     handwrittenProfileEvents,
	"profiles.attributes": handwrittenAttributes,
}

// handwriter writes a range of units, and returns the memory for its next use.
func handwriter(file *rows.File, kind string, apiKey string) (func(dst []byte, unit int64) []byte, error) {
	made, known := handwritten[kind]
	if !known {
		return nil, nil
	}
	people, scope := file.Source()
	f := &facts{people: people, scope: scope, apiKey: apiKey}
	write := made(f)
	if f.missing != "" {
		return nil, fmt.Errorf("the world has no value %q any more", f.missing)
	}
	var batch []world.Row
	return func(dst []byte, unit int64) []byte {
		batch = scope.View.Append(batch[:0], unit)
		for i := range batch {
			dst = write(dst, &batch[i])
		}
		return dst
	}, nil
}

// facts looks values of the world up.
type facts struct {
	people  *world.World
	scope   world.Scope
	apiKey  string
	missing string
}

func (f *facts) get(name string) world.Fact {
	fact, found := f.people.Fact(name, f.scope)
	if !found {
		f.missing = name
	}
	return fact
}

func handwrittenUserbase(f *facts) rowWriter {
	id, custom, advertising := f.get("installation.id"), f.get("profile.custom_id"), f.get("installation.advertising_id")
	optIn, installed, started, segment := f.get("installation.is_optin"), f.get("installation.install_date"), f.get("installation.last_start_date"), f.get("installation.smart_segment")
	return func(dst []byte, row *world.Row) []byte {
		dst = append(id.Text(dst, row), ';')
		if !custom.Absent(row) {
			dst = custom.Text(dst, row)
		}
		dst = append(dst, ';')
		if !advertising.Absent(row) {
			dst = advertising.Text(dst, row)
		}
		if optIn.Flag(row) {
			dst = append(dst, ";true;"...)
		} else {
			dst = append(dst, ";false;"...)
		}
		dst = append(appendTime(dst, installed.Time(row)), ';')
		dst = append(appendTime(dst, started.Time(row)), ';')
		dst = append(dst, segment.Names[segment.Choice(row)]...)
		return append(dst, '\n')
	}
}

func handwrittenCampaignEvents(f *facts) rowWriter {
	id, custom, advertising := f.get("installation.id"), f.get("profile.custom_id"), f.get("installation.advertising_id")
	date := f.get("event.date")
	var kinds [][]byte
	for _, name := range f.scope.View.Events() {
		if name == "push_open" { // the file has another name for it
			name = "push_opened"
		}
		kinds = append(kinds, []byte(";"+name+"\n"))
	}
	return func(dst []byte, row *world.Row) []byte {
		dst = append(id.Text(dst, row), ';')
		if !custom.Absent(row) {
			dst = custom.Text(dst, row)
		}
		dst = append(dst, ';')
		if !advertising.Absent(row) {
			dst = advertising.Text(dst, row)
		}
		dst = appendTime(append(dst, ';'), date.Time(row))
		return append(dst, kinds[row.Event]...)
	}
}

// appendTime writes a moment with a table of pairs of digits.
func appendTime(dst []byte, seconds int64) []byte {
	days, rest := uint64(seconds)/86_400+719_468, uint64(seconds)%86_400
	era, inEra := days/146_097, days%146_097
	year := (inEra - inEra/1460 + inEra/36_524 - inEra/146_096) / 365
	inYear := inEra - (365*year + year/4 - year/100)
	shifted := (5*inYear + 2) / 153
	date, month := inYear-(153*shifted+2)/5+1, shifted+3
	year += era * 400
	if month > 12 {
		month, year = month-12, year+1
	}
	dst = append(dst, "0000-00-00T00:00:00"...)
	text := dst[len(dst)-19:]
	copy(text[0:2], pairOf(year/100))
	copy(text[2:4], pairOf(year%100))
	copy(text[5:7], pairOf(month))
	copy(text[8:10], pairOf(date))
	copy(text[11:13], pairOf(rest/3600))
	copy(text[14:16], pairOf(rest/60%60))
	copy(text[17:19], pairOf(rest%60))
	return dst
}

func pairOf(n uint64) string { return pairs[2*n : 2*n+2] }

var pairs = func() string {
	var text []byte
	for n := range 100 {
		text = strconv.AppendInt(append(text, '0'), int64(n), 10)
		if n >= 10 {
			text = append(text[:2*n], text[2*n+1:]...)
		}
	}
	return string(text)
}()
