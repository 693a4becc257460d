package dataset

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/extsort"
)

// sortBytes is how much of a sort is in memory; the rest is on disk.
const sortBytes = 6 << 20

// snapshotBuilder joins what was loaded: every row with the one it names. It
// goes through installations first, with their events, and then through
// profiles, with their installations and events; what comes next is sorted on
// disk in between, so memory does not grow with the rows but for those of one
// profile.
type snapshotBuilder struct {
	*Snapshot
	from segmentLists
	text []byte
	sets map[string]uint8

	installationsByOwner, installationsByNumber *extsort.Sorter
	eventsByProfile, eventsByTime               *extsort.Sorter
}

// newSnapshot joins what was loaded. A block that cannot be read panics, see
// decoder; here it is an error.
func newSnapshot(from segmentLists, generation, since int64) (s *Snapshot, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s, err = nil, fmt.Errorf("the dataset cannot be read: %v", cause)
		}
	}()
	kept := from.profiles.blocks
	s = &Snapshot{
		generation: generation, since: since, results: map[string]any{},
		profiles: newList(kept), installations: newList(kept), events: newList(kept),
	}
	b := snapshotBuilder{Snapshot: s, from: from, sets: map[string]uint8{}}
	for _, sorter := range []**extsort.Sorter{&b.installationsByOwner, &b.installationsByNumber, &b.eventsByProfile, &b.eventsByTime} {
		*sorter = extsort.New("", sortBytes)
		defer (*sorter).Close()
	}
	for _, stage := range []func() error{b.joinInstallations, b.joinProfiles, b.listInstallations, b.listEvents} {
		if err := stage(); err != nil {
			return nil, err
		}
	}
	s.dropWhenUnused()
	for _, list := range []*list{s.profiles, s.installations, s.events} {
		if list.err != nil {
			return nil, list.err
		}
	}
	return s, nil
}

// stream is sorted records, one after the other. A record is good until the
// next call of advance.
type stream struct {
	record []byte
	pull   func() ([]byte, bool)
	stop   func()
	err    error
}

func streamOf(sorter *extsort.Sorter) *stream {
	s := &stream{}
	s.pull, s.stop = iter.Pull(func(yield func([]byte) bool) {
		s.err = sorter.Each(func(record []byte) error {
			if !yield(record) {
				return errStopped
			}
			return nil
		})
	})
	s.advance()
	return s
}

var errStopped = fmt.Errorf("nobody reads on")

func (s *stream) advance() { s.record, _ = s.pull() }

// of is the rest of the present record, if it begins with a number; otherwise
// nil.
func (s *stream) of(number int32) []byte {
	if s.record == nil || binary.BigEndian.Uint32(s.record) != uint32(number) {
		return nil
	}
	return s.record[4:]
}

func appendNumber(dst []byte, number int32) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(number))
}

// appendSortable writes a moment so that the order of bytes is that of time.
func appendSortable(dst []byte, m moment) []byte {
	return appendNumber(binary.BigEndian.AppendUint64(dst, uint64(m.second)^1<<63), m.number)
}

// sortableBytes is the length of what appendSortable writes.
const sortableBytes = 12

// sortVersions sorts versions by what they are of, and those of one in their
// order.
func sortVersions(from *list) (*stream, func(), error) {
	sorter := extsort.New("", sortBytes)
	text := []byte(nil)
	for at := from.from(0); at.more(from.count); {
		of := at.int32()
		text = binary.BigEndian.AppendUint64(appendNumber(text[:0], of), uint64(at.next))
		if err := sorter.Add(append(text, at.record()...)); err != nil {
			sorter.Close()
			return nil, nil, err
		}
	}
	s := streamOf(sorter)
	return s, func() { s.stop(); sorter.Close() }, nil
}

// versionAt is where a version begins in what stream.of returns.
const versionAt = 8

// joinInstallations goes through all installations, with their events.
func (b *snapshotBuilder) joinInstallations() error {
	versions, done, err := sortVersions(b.from.installationRows)
	if err != nil {
		return err
	}
	defer done()
	sorter := extsort.New("", sortBytes)
	defer sorter.Close()
	for at := b.from.events.from(0); at.more(b.from.events.count); {
		when := moment{at.int(), int32(at.next - 1)}
		at.int32()
		installation := at.int32()
		if installation < 0 {
			installation = math.MaxInt32
		}
		b.text = appendSortable(appendNumber(b.text[:0], installation), when)
		if err := sorter.Add(append(b.text, at.record()...)); err != nil {
			return err
		}
	}
	events := streamOf(sorter)
	defer events.stop()
	var happened []event
	for at := b.from.installations.from(0); at.more(b.from.installations.count); {
		in := installation{number: int32(at.number()), id: at.textValue()}
		b.foldInstallation(&in, versions)
		happened = b.takeEvents(happened[:0], events, in.number)
		if err := b.installationEvents(&in, happened); err != nil {
			return err
		}
		b.text = appendNumber(appendNumber(b.text[:0], in.owner), in.number)
		b.text = appendInstallation(b.text, &in)
		if err := b.installationsByOwner.Add(b.text); err != nil {
			return err
		}
	}
	for events.record != nil { // those without an installation
		happened = b.takeEvent(happened[:0], events)
		if err := b.sortByProfile(&happened[0]); err != nil {
			return err
		}
	}
	return firstError(versions.err, events.err)
}

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil && err != errStopped {
			return err
		}
	}
	return nil
}

func (b *snapshotBuilder) foldInstallation(in *installation, versions *stream) {
	seen := false
	for text := versions.of(in.number); text != nil; text = versions.of(in.number) {
		d := newDecoder(string(text[versionAt:]))
		version := decodeInstallationVersion(&d)
		if !seen {
			in.at, seen = version.at, true
		}
		in.owner = version.owner
		if version.encoded != "" {
			in.encoded = version.encoded
		}
		versions.advance()
	}
}

func (b *snapshotBuilder) takeEvents(into []event, from *stream, installation int32) []event {
	for from.of(installation) != nil {
		into = b.takeEvent(into, from)
	}
	return into
}

// takeEvent takes one event of a stream that is sorted by a number and a moment.
func (b *snapshotBuilder) takeEvent(into []event, from *stream) []event {
	number := int32(binary.BigEndian.Uint32(from.record[4+8:]))
	d := newDecoder(string(from.record[4+sortableBytes:]))
	loaded := decodeLoadedEvent(&d)
	from.advance()
	return append(into, event{eventRow: loaded.row, encoded: loaded.encoded, when: moment{loaded.time, number}, profile: loaded.profile, installation: loaded.installation})
}

// installationEvents finds what the events of an installation change of it.
func (b *snapshotBuilder) installationEvents(in *installation, happened []event) error {
	for i := range happened {
		e := &happened[i]
		if e.profile < 0 {
			e.profile = in.owner
		}
		in.traces.list = append(in.traces.list, trace{when: e.when, eventType: e.Type})
		var reasons []string
		for _, wanted := range e.desiredChanges(nil) {
			if !wanted.flag.ofInstallation() {
				continue
			}
			reason, changed := in.history.apply(e.when, wanted, new(profileRow))
			if !changed {
				continue
			}
			e.legacy = true
			if reason != "" && wanted.flag.channel() == channelNames()[pushChannel] {
				reasons = append(reasons, reason)
			}
		}
		e.reasons[pushChannel] = b.setOf(pushChannel, reasons)
	}
	var known traceDigest
	for i := range happened {
		e := &happened[i]
		known.add(in.traces.list[i])
		e.on = &installation{number: in.number, id: in.id, owner: in.owner, encoded: in.encoded, at: in.at, history: in.history.at(e.when), traces: traceList{list: known}}
		if err := b.sortByProfile(e); err != nil {
			return err
		}
	}
	return nil
}

// setOf is the number of a set of reasons of a channel, 0 for none.
func (b *snapshotBuilder) setOf(channel int, names []string) uint8 {
	if len(names) == 0 {
		return 0
	}
	key := strings.Join(names, "|")
	if b.sets[key] == 0 {
		b.reasonSets = append(b.reasonSets, reasonSet{channelNames()[channel], names})
		b.sets[key] = uint8(len(b.reasonSets))
	}
	return b.sets[key]
}

func (b *snapshotBuilder) sortByProfile(e *event) error {
	b.text = appendSortable(appendNumber(b.text[:0], e.profile), e.when)
	b.text = appendEvent(b.text, e)
	return b.eventsByProfile.Add(b.text)
}

// joinProfiles goes through all profiles, with their installations and events.
func (b *snapshotBuilder) joinProfiles() error {
	versions, done, err := sortVersions(b.from.profileRows)
	if err != nil {
		return err
	}
	defer done()
	installations, events := streamOf(b.installationsByOwner), streamOf(b.eventsByProfile)
	defer installations.stop()
	defer events.stop()
	var happened []event
	for at := b.from.profiles.from(0); at.more(b.from.profiles.count); {
		name := decodeProfileName(&at.decoder)
		p := profile{number: int32(at.number()), id: name.id, anonymous: name.anonymous}
		b.foldProfile(&p, versions)
		for text := installations.of(p.number); text != nil; text = installations.of(p.number) {
			var in installation
			d := newDecoder(string(text[4:]))
			decodeInstallation(&d, &in)
			p.installations = append(p.installations, in)
			installations.advance()
		}
		happened = happened[:0]
		for text := events.of(p.number); text != nil; text = events.of(p.number) {
			d := newDecoder(string(text[sortableBytes:]))
			happened = append(happened, event{})
			last := &happened[len(happened)-1]
			decodeEventHead(&d, last, new(eventRow))
			decodeEventRest(&d, last)
			events.advance()
		}
		if err := b.profileEvents(&p, happened); err != nil {
			return err
		}
		b.text = appendProfile(b.text[:0], &p)
		b.profiles.add(b.text)
		owner := profile{number: p.number, id: p.id, customID: p.customID, anonymous: p.anonymous, loaded: p.loaded, detail: nameOnly}
		for i := range p.installations {
			in := &p.installations[i]
			b.text = appendInstallation(appendNumber(b.text[:0], in.number), in)
			if err := b.installationsByNumber.Add(appendProfile(b.text, &owner)); err != nil {
				return err
			}
		}
	}
	return firstError(versions.err, installations.err, events.err)
}

func (b *snapshotBuilder) foldProfile(p *profile, versions *stream) {
	seen := false
	for text := versions.of(p.number); text != nil; text = versions.of(p.number) {
		d := newDecoder(string(text[versionAt:]))
		version := decodeProfileVersion(&d)
		if !seen {
			p.at, seen = version.at, true
		}
		if version.profileID != "" {
			p.id = version.profileID
		}
		if version.customID != "" {
			p.customID = version.customID
		}
		if version.encoded != "" {
			p.encoded, p.loaded = version.encoded, true
		}
		versions.advance()
	}
}

// profileEvents finds what the events of a profile change of it. An event that
// asks for a state that is so already changes nothing, and no export shows it.
func (b *snapshotBuilder) profileEvents(p *profile, happened []event) error {
	stated := statedWithdrawals(happened)
	for i := range happened {
		e := &happened[i]
		p.traces.list = append(p.traces.list, trace{
			when: e.when, eventType: e.Type, collection: e.Collection, tag: e.Tag, attribute: e.Attribute, value: string(e.Value),
		})
		changes := e.desiredChanges(nil)
		if ends, is := e.withdrawal(); is && !stated[i] {
			changes = append(changes, desiredChange{flag: ends})
		}
		var names [3][]string
		for _, wanted := range changes {
			if wanted.flag.ofInstallation() {
				continue
			}
			reason, changed := p.history.apply(e.when, wanted, p.given())
			if !changed || reason == "" {
				continue
			}
			for channel, name := range channelNames() {
				if wanted.flag.channel() == name {
					names[channel] = append(names[channel], reason)
				}
			}
		}
		for channel := range pushChannel {
			e.reasons[channel] = b.setOf(channel, names[channel])
		}
	}
	var known traceDigest
	for i := range happened {
		e := &happened[i]
		known.add(p.traces.list[i])
		e.of = &profile{
			number: p.number, id: p.id, customID: p.customID, anonymous: p.anonymous, loaded: p.loaded, detail: atEvent,
			profileData: profileData{encoded: p.encoded}, at: p.at, history: p.history.at(e.when), traces: traceList{list: known},
		}
		b.text = appendEvent(appendSortable(b.text[:0], e.when), e)
		if err := b.eventsByTime.Add(b.text); err != nil {
			return err
		}
	}
	return nil
}

func (b *snapshotBuilder) listInstallations() error {
	return b.installationsByNumber.Each(func(record []byte) error {
		b.installations.add(record[4:])
		return b.installations.err
	})
}

func (b *snapshotBuilder) listEvents() error {
	return b.eventsByTime.Each(func(record []byte) error {
		if b.events.count%blockRecords == 0 {
			b.seconds = append(b.seconds, int64(binary.BigEndian.Uint64(record)^1<<63))
		}
		b.events.add(record[sortableBytes:])
		return b.events.err
	})
}

// statedWithdrawals are the messages of a profile that end a consent whose end
// a reachability event states as well: only that one is shown as a change.
func statedWithdrawals(happened []event) map[int]bool {
	var stated map[int]bool
	var next [flags]bool // whether the next statement is an end
	for i := len(happened) - 1; i >= 0; i-- {
		e := &happened[i]
		if e.Type == "reachability" {
			for _, wanted := range e.desiredChanges(nil) {
				if wanted.flag == flagEmailConsent || wanted.flag == flagSMSConsent {
					next[wanted.flag] = !wanted.state
				}
			}
			continue
		}
		if ends, is := e.withdrawal(); is && next[ends] {
			if stated == nil {
				stated = map[int]bool{}
			}
			stated[i] = true
		}
	}
	return stated
}
