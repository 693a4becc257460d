package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// base is what was counted of files.
type base struct {
	files     []importer.File
	people    int64
	profiles  int64 // of them, those that a snapshot of profiles lists
	messages  int64 // that profiles were sent
	shares    map[string]*share
	durations map[string]*cells
	times     times
	cells     map[string]*cells // of what is not a duration
	octaves   map[string]*cells // durations, by octave, for plots
	senders   map[string]*share // by channel and orchestration: of the messages, those that people answered
	journey   journey
	said      said
}

// said is what people, installations and events have of some values.
type said struct {
	values     map[string]*values    // of those that the world draws from a list, by column
	attributes map[string]*attribute // the custom ones, by name
	campaigns  int64                 // how many people files of single campaigns or groups tell of
}

// times are when things happened.
type times struct {
	first   extremes        // of events, before 1970 so much as they are after it
	latest  extremes        // of everything
	created map[int64]int64 // by week, how many profiles
	zones   map[string]*time.Location
	clocks  map[string]*clocks // by orchestration
	roughly map[string]*time.Location
	changed map[int64]bool // hours in which a state changed
	late    *lateness
}

// extremes are the latest dates of people, one of each: no fewer than so many people have the last of them or a later one.
type extremes struct {
	least int
	list  []instant // rising
}

func (e *extremes) add(date instant) {
	if len(e.list) == e.least && date <= e.list[0] {
		return
	}
	at, _ := slices.BinarySearch(e.list, date)
	e.list = slices.Insert(e.list, at, date)
	if len(e.list) > e.least {
		e.list = e.list[1:]
	}
}

// value is the latest date that so many people share; 0: fewer have any.
func (e *extremes) value() instant {
	if len(e.list) < e.least {
		return 0
	}
	return e.list[0]
}

// read counts what files say.
func read(ctx context.Context, library *schemas.Library, inputs []importer.Input, options importer.Options, least int64) (*base, error) {
	b := &base{
		shares: map[string]*share{}, durations: map[string]*cells{}, senders: map[string]*share{}, octaves: map[string]*cells{}, cells: map[string]*cells{}, journey: journeyOf(library), said: said{values: map[string]*values{}, attributes: map[string]*attribute{}},
		times: times{first: extremes{least: int(least)}, latest: extremes{least: int(least)}, created: map[int64]int64{}, zones: map[string]*time.Location{}, clocks: map[string]*clocks{}, roughly: map[string]*time.Location{}, changed: map[int64]bool{}},
	}
	b.times.late = newLateness(&b.journey)
	var p *person
	var tellers []int
	options.Read, options.Told = b.times.late.know, func(inputs []int) { tellers = inputs }
	options.Begin = func() {
		if p != nil {
			b.count(p)
		}
		b.people++
		p = &person{number: b.people}
	}
	summary, err := importer.Files(ctx, library, inputs, options, func(kind string, row []byte) error { return p.add(kind, row, tellers) })
	if p != nil {
		b.count(p)
	}
	b.files = summary.Files
	b.endChanges()
	return b, err
}

// share is that of a name.
func (b *base) share(name string) *share {
	if b.shares[name] == nil {
		b.shares[name] = &share{}
	}
	return b.shares[name]
}

func cellsOf(in map[string]*cells, name string, count int) *cells {
	if in[name] == nil {
		made := newCells(count)
		in[name] = &made
	}
	return in[name]
}

// addDuration counts a duration, in seconds.
func (b *base) addDuration(name string, seconds, person int64) {
	cell := cellOfDuration(seconds)
	cellsOf(b.durations, name, durationCells).add(cell, person)
	cellsOf(b.octaves, name, octaves).add((cell+octave-1)/octave, person)
}

// Names of what is counted. Those of shares are names of flags.
const (
	pushOnly, emailOnly, sms          = "push-only", "email-only", "sms"
	pushOptIn, emailOptIn, smsOptIn   = "push-opt-in", "email-opt-in", "sms-opt-in"
	rateOf, machineOf, againOf        = "rate ", "machine ", "again "
	withdrawalOf                      = "withdrawal "
	delayOf, machineDelayOf           = "delay ", "machine delay "
	againDelayOf                      = "again delay "
	awkward                           = "texture"
	duplicates                        = "duplicates"
	subscribed                        = "subscribed"
	daySeconds, weekSeconds, yearWeek = 86_400, 7 * 86_400, 52
)

// Cells of people: by the year of their creation, and by how many messages they were sent: none, 1, 2 and 3, 4 to 7 and so on.
const (
	createdCells  = "year of creation"
	firstYear     = 2000
	createdYears  = 60
	messagesCells = "messages per person"
	mostMessages  = 16
)

// count counts a person.
func (b *base) count(p *person) {
	latest := b.countProfile(p)
	optIns, known := 0.0, 0.0
	for _, each := range p.installations {
		latest = max(latest, each.InstallDate, each.LastStartDate)
		if each.IsOptIn != nil {
			known++
			optIns += flag(*each.IsOptIn)
		}
	}
	b.share(pushOptIn).add(optIns, known)
	custom := ""
	if p.profile != nil {
		custom = p.profile.CustomID
	}
	for _, each := range p.installations {
		if custom == "" {
			custom = each.CustomID
		}
	}
	if custom != "" {
		b.share(awkward).add(flag(isAwkward(custom)), 1)
	}
	first := instant(math.MaxInt64)
	for _, e := range p.events {
		if e.Date != 0 {
			first, latest = min(first, e.Date), max(latest, e.Date)
		}
	}
	if first != math.MaxInt64 {
		b.times.first.add(-first)
	}
	if latest != 0 {
		b.times.latest.add(latest)
	}
	if slices.ContainsFunc(p.events, func(e eventRow) bool { return e.Campaign+e.Group != "" }) {
		b.said.campaigns++
	}
	b.countDuplicates(p.events)
	b.countValues(p)
	b.countLate(p)
	b.countMessages(p)
	b.countChanges(p)
}

// countDuplicates counts how many events of a person are in the files again.
func (b *base) countDuplicates(events []eventRow) {
	known, again := map[uint64]bool{}, 0.0
	for _, e := range events {
		if _, message := b.journey.steps[sameEvent(e.Type)]; !message {
			continue
		}
		again += flag(known[e.sum])
		known[e.sum] = true
	}
	b.share(duplicates).add(again, float64(len(known)))
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// isAwkward tells whether an identifier has something in it that readers stumble upon.
func isAwkward(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"';,\`, r) })
}

// countProfile counts what a snapshot of profiles says of a person, and tells the latest date in it.
func (b *base) countProfile(p *person) (latest instant) {
	if p.profile == nil {
		return 0
	}
	its := p.profile
	b.profiles++
	if its.CreationDate != 0 { // a file may be asked for without it
		b.times.created[int64(its.CreationDate)/weekSeconds]++
		cellsOf(b.cells, createdCells, createdYears).add(max(min(time.Unix(int64(its.CreationDate), 0).UTC().Year()-firstYear, createdYears-1), 0), p.number)
	}
	b.countAttributes(its.Attributes)
	email, phone := its.EmailAddress != "", its.PhoneNumber != ""
	b.share(pushOnly).add(flag(!email && !phone && len(p.installations) > 0), 1)
	b.share(emailOnly).add(flag(email && !phone && len(p.installations) == 0), 1)
	b.share(sms).add(flag(phone), 1)
	if email && its.EmailMarketing != "" {
		b.share(emailOptIn).add(flag(its.EmailMarketing == subscribed), 1)
	}
	if phone && its.SMSMarketing != "" {
		b.share(smsOptIn).add(flag(its.SMSMarketing == subscribed), 1)
	}
	return max(its.CreationDate, its.LastActivity)
}

// countMessages counts what became of the messages to a person.
func (b *base) countMessages(p *person) {
	reached, happened := map[string]float64{}, map[string]float64{} // by step
	machines, opened := map[string]float64{}, map[string]float64{}
	again, could := map[string]float64{}, map[string]float64{}
	sent, senders := 0, map[string][2]float64{} // by orchestration: answered, and all
	messages := b.journey.messagesOf(p.events)
	b.countEnds(messages)
	for _, m := range messages {
		if m.channel == "email" || m.channel == "sms" || m.channel == "push" {
			b.messages++
			sent++
			if m.sender != "" {
				of := senders[m.channel+" "+m.sender]
				senders[m.channel+" "+m.sender] = [2]float64{of[0] + flag(b.journey.isAnswered(m)), of[1] + 1}
			}
		}
		b.countTimes(m, p)
		b.countClocks(m, p)
		for _, name := range b.journey.events {
			step := b.journey.steps[name]
			before, is := m.first[step.After]
			if step.After == "" || !is || slices.ContainsFunc(step.Unless, func(other string) bool { _, is := m.first[other]; return is }) {
				continue
			}
			reached[name]++
			at, is := m.first[name]
			if !is {
				continue
			}
			happened[name]++
			delay, kind := int64(at-before), delayOf
			if step.Machine.Share > 0 {
				opened[name]++
				if m.machine[name] {
					machines[name]++
					kind = machineDelayOf
				}
			}
			if delay > 0 {
				b.addDuration(kind+name, delay, p.number)
			}
			if step.Again.Rate > 0 && !m.machine[name] {
				could[name]++
				for _, next := range m.again[name] {
					could[name]++
					again[name]++
					b.addDuration(againDelayOf+name, int64(next-at), p.number)
					at = next
				}
			}
		}
	}
	for name, its := range senders {
		if b.senders[name] == nil {
			b.senders[name] = &share{}
		}
		b.senders[name].add(its[0], its[1])
	}
	cellsOf(b.cells, messagesCells, mostMessages).add(min(bits.Len(uint(sent)), mostMessages-1), p.number)
	for _, name := range b.journey.events {
		b.share(b.journey.rateName(name)).add(happened[name], reached[name])
		b.share(machineOf+name).add(machines[name], opened[name])
		b.share(againOf+name).add(again[name], could[name])
	}
}

// The times that are counted: when messages go out, by UTC, and when people are shown something in the app, where they live.
const (
	sendHours, sendWeekdays = "send-hours", "send-weekdays"
	appHours, appWeekdays   = "app-hours", "app-weekdays"
)

// countTimes counts at which hour and on which weekday a message was sent.
func (b *base) countTimes(m *message, p *person) {
	at, hours, weekdays := time.Unix(int64(m.sent), 0).UTC(), sendHours, sendWeekdays
	if m.channel == "inapp" {
		if p.profile == nil || p.profile.Timezone == "" {
			return
		}
		zone, err := b.times.zone(p.profile.Timezone)
		if err != nil {
			return
		}
		at, hours, weekdays = at.In(zone), appHours, appWeekdays
	}
	b.timesOf(hours, world.HoursOfDay).add(at.Hour(), p.number)
	b.timesOf(weekdays, world.DaysOfWeek).add(fromMonday(at), p.number)
}

// timesOf are the cells of hours or weekdays of a name.
func (b *base) timesOf(name string, count int) *cells {
	if b.cells[name] == nil {
		made := newTimes(count, int64(b.times.first.least))
		b.cells[name] = &made
	}
	return b.cells[name]
}

// zone is the time zone of a name.
func (t *times) zone(name string) (*time.Location, error) {
	if known := t.zones[name]; known != nil {
		return known, nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil && len(t.zones) < mostValues {
		t.zones[name] = zone
	}
	return zone, err
}

// has tells whether files of a kind were among those that were read.
func (b *base) has(kind string) bool {
	return slices.ContainsFunc(b.files, func(f importer.File) bool { return f.Kind == kind && f.Rows > 0 })
}

// senderCount is how many orchestrations, campaigns and groups at least so many people got messages from.
func (b *base) senderCount(least int64) (count int) {
	for _, each := range b.senders {
		if each.people >= least {
			count++
		}
	}
	return count
}

// grown is how many profiles were created in the last year, and how many there were before.
func (b *base) grown() (recent, before int64) {
	last := int64(b.times.latest.value()) / weekSeconds
	for week, count := range b.times.created {
		if week > last-yearWeek {
			recent += count
		} else {
			before += count
		}
	}
	return recent, before
}

// FewError says that files tell of fewer people than may share anything.
type FewError struct{ Found, Least int64 }

func (e *FewError) Error() string {
	return fmt.Sprintf("the files tell of fewer than %d people: of so few, nothing is learned; name more files, or allow less with --people", e.Least)
}

var errNothing = errors.New("the files have no rows")
