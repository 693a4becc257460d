package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
)

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
// [blocks.Decoder]; here it is an error.
func newSnapshot(from segmentLists, generation, since int64) (s *Snapshot, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s, err = nil, fmt.Errorf("the dataset cannot be read: %v", cause)
		}
	}()
	kept := from.profiles.Blocks
	s = &Snapshot{
		generation: generation, Since: since, results: map[string]any{},
		Profiles: blocks.NewList(kept), Installations: blocks.NewList(kept), Events: blocks.NewList(kept),
	}
	made := s
	defer func() {
		if err != nil { // what was made before it takes no room
			err = errors.Join(err, kept.Drop(made.blocks()))
		}
	}()
	b := snapshotBuilder{Snapshot: s, from: from, sets: map[string]uint8{}}
	for _, sorter := range []**extsort.Sorter{&b.installationsByOwner, &b.installationsByNumber, &b.eventsByProfile, &b.eventsByTime} {
		*sorter = newSorter(kept)
		defer (*sorter).Close()
	}
	for _, stage := range []func() error{b.joinInstallations, b.joinProfiles, b.listInstallations, b.listEvents} {
		if err := stage(); err != nil {
			return nil, err
		}
	}
	runtime.KeepAlive(from.readers) // of blocks that may be given up meanwhile
	for _, list := range []*blocks.List{s.Profiles, s.Installations, s.Events} {
		if list.Err != nil {
			return nil, list.Err
		}
	}
	s.dropWhenUnused()
	return s, nil
}

// joinInstallations goes through all installations, with their events.
func (b *snapshotBuilder) joinInstallations() error {
	versions, done, err := sortVersions(b.from.installationRows)
	if err != nil {
		return err
	}
	defer done()
	sorter := newSorter(b.from.events.Blocks)
	defer sorter.Close()
	for at := b.from.events.From(0); at.More(b.from.events.Count); {
		when := record.Moment{Second: at.Int(), Number: int32(at.Number())}
		at.Int32()
		installation := at.Int32()
		if installation < 0 {
			installation = math.MaxInt32
		}
		b.text = appendSortable(appendNumber(b.text[:0], installation), when)
		if err := sorter.Add(append(b.text, at.Record()...)); err != nil {
			return err
		}
	}
	events := streamOf(sorter)
	defer events.stop()
	var happened []record.Event
	for at := b.from.installations.From(0); at.More(b.from.installations.Count); {
		in := record.Installation{Number: int32(at.Number()), ID: at.Text()}
		b.foldInstallation(&in, versions)
		happened = b.takeEvents(happened[:0], events, in.Number)
		if err := b.installationEvents(&in, happened); err != nil {
			return err
		}
		b.text = appendNumber(appendNumber(b.text[:0], in.Owner), in.Number)
		b.text = record.AppendInstallation(b.text, &in)
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

func (b *snapshotBuilder) foldInstallation(in *record.Installation, versions *stream) {
	seen := false
	for text := versions.of(in.Number); text != nil; text = versions.of(in.Number) {
		d := blocks.NewDecoder(string(text[versionAt:]))
		version := decodeInstallationVersion(&d)
		if !seen {
			in.At, seen = version.at, true
		}
		in.Owner = version.owner
		if version.encoded != "" {
			in.Encoded = version.encoded
		}
		versions.advance()
	}
}

func (b *snapshotBuilder) takeEvents(into []record.Event, from *stream, installation int32) []record.Event {
	for from.of(installation) != nil {
		into = b.takeEvent(into, from)
	}
	return into
}

// takeEvent takes one event of a stream that is sorted by a number and a moment.
func (b *snapshotBuilder) takeEvent(into []record.Event, from *stream) []record.Event {
	number := int32(binary.BigEndian.Uint32(from.record[4+8:]))
	d := blocks.NewDecoder(string(from.record[4+sortableBytes:]))
	loaded := decodeLoadedEvent(&d)
	from.advance()
	return append(into, record.Event{Event: loaded.row, Encoded: loaded.encoded, When: record.Moment{Second: loaded.time, Number: number}, Profile: loaded.profile, Installation: loaded.installation})
}

// installationEvents finds what the events of an installation change of it.
func (b *snapshotBuilder) installationEvents(in *record.Installation, happened []record.Event) error {
	for i := range happened {
		e := &happened[i]
		if e.Profile < 0 {
			e.Profile = in.Owner
		}
		in.Traces.List = append(in.Traces.List, record.Trace{When: e.When, EventType: e.Type})
		var reasons []string
		for _, wanted := range e.DesiredChanges(nil) {
			if !wanted.Flag.OfInstallation() {
				continue
			}
			reason, changed := in.History.Apply(e.When, wanted, new(input.Profile))
			if !changed {
				continue
			}
			e.Legacy = true
			if reason != "" && wanted.Flag.Channel() == record.Channels()[record.PushChannel] {
				reasons = append(reasons, reason)
			}
		}
		e.ReasonSets[record.PushChannel] = b.setOf(record.PushChannel, reasons)
	}
	var known record.TraceDigest
	for i := range happened {
		e := &happened[i]
		known.Add(in.Traces.List[i])
		e.On = &record.Installation{Number: in.Number, ID: in.ID, Owner: in.Owner, Encoded: in.Encoded, At: in.At, History: in.History.At(e.When), Traces: record.TraceList{List: known}}
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
		b.ReasonSets = append(b.ReasonSets, ReasonSet{record.Channels()[channel], names})
		b.sets[key] = uint8(len(b.ReasonSets))
	}
	return b.sets[key]
}

func (b *snapshotBuilder) sortByProfile(e *record.Event) error {
	b.text = appendSortable(appendNumber(b.text[:0], e.Profile), e.When)
	b.text = record.AppendEvent(b.text, e)
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
	var happened []record.Event
	for at := b.from.profiles.From(0); at.More(b.from.profiles.Count); {
		name := decodeProfileName(&at.Decoder)
		p := record.Profile{Number: int32(at.Number()), ID: name.id, Anonymous: name.anonymous}
		b.foldProfile(&p, versions)
		for text := installations.of(p.Number); text != nil; text = installations.of(p.Number) {
			var in record.Installation
			d := blocks.NewDecoder(string(text[4:]))
			record.DecodeInstallation(&d, &in)
			p.Installations = append(p.Installations, in)
			installations.advance()
		}
		happened = happened[:0]
		for text := events.of(p.Number); text != nil; text = events.of(p.Number) {
			d := blocks.NewDecoder(string(text[sortableBytes:]))
			happened = append(happened, record.Event{})
			last := &happened[len(happened)-1]
			record.DecodeEventHead(&d, last, new(input.Event))
			record.DecodeEventRest(&d, last)
			events.advance()
		}
		if err := b.profileEvents(&p, happened); err != nil {
			return err
		}
		b.text = record.AppendProfile(b.text[:0], &p)
		b.Profiles.Add(b.text)
		owner := record.Profile{Number: p.Number, ID: p.ID, CustomID: p.CustomID, Anonymous: p.Anonymous, Loaded: p.Loaded, Detail: record.NameOnly}
		for i := range p.Installations {
			in := &p.Installations[i]
			b.text = record.AppendInstallation(appendNumber(b.text[:0], in.Number), in)
			if err := b.installationsByNumber.Add(record.AppendProfile(b.text, &owner)); err != nil {
				return err
			}
		}
	}
	return firstError(versions.err, installations.err, events.err)
}

func (b *snapshotBuilder) foldProfile(p *record.Profile, versions *stream) {
	seen := false
	for text := versions.of(p.Number); text != nil; text = versions.of(p.Number) {
		d := blocks.NewDecoder(string(text[versionAt:]))
		version := decodeProfileVersion(&d)
		if !seen {
			p.At, seen = version.at, true
		}
		if version.profileID != "" {
			p.ID = version.profileID
		}
		if version.customID != "" {
			p.CustomID = version.customID
		}
		if version.encoded != "" {
			p.Encoded, p.Loaded = version.encoded, true
		}
		versions.advance()
	}
}

// profileEvents finds what the events of a profile change of it. An event that
// asks for a state that is so already changes nothing, and no export shows it.
func (b *snapshotBuilder) profileEvents(p *record.Profile, happened []record.Event) error {
	stated := statedWithdrawals(happened)
	for i := range happened {
		e := &happened[i]
		p.Traces.List = append(p.Traces.List, record.Trace{
			When: e.When, EventType: e.Type, Collection: e.Collection, Tag: e.Tag, Attribute: e.Attribute, Value: string(e.Value),
		})
		changes := e.DesiredChanges(nil)
		if ends, is := e.Withdrawal(); is && !stated[i] {
			changes = append(changes, input.DesiredChange{Flag: ends})
		}
		var names [3][]string
		for _, wanted := range changes {
			if wanted.Flag.OfInstallation() {
				continue
			}
			reason, changed := p.History.Apply(e.When, wanted, p.Given())
			if !changed || reason == "" {
				continue
			}
			for channel, name := range record.Channels() {
				if wanted.Flag.Channel() == name {
					names[channel] = append(names[channel], reason)
				}
			}
		}
		for channel := range record.PushChannel {
			e.ReasonSets[channel] = b.setOf(channel, names[channel])
		}
	}
	var known record.TraceDigest
	for i := range happened {
		e := &happened[i]
		known.Add(p.Traces.List[i])
		e.Of = &record.Profile{
			Number: p.Number, ID: p.ID, CustomID: p.CustomID, Anonymous: p.Anonymous, Loaded: p.Loaded, Detail: record.AtEvent,
			ProfileData: record.ProfileData{Encoded: p.Encoded}, At: p.At, History: p.History.At(e.When), Traces: record.TraceList{List: known},
		}
		b.text = record.AppendEvent(appendSortable(b.text[:0], e.When), e)
		if err := b.eventsByTime.Add(b.text); err != nil {
			return err
		}
	}
	return nil
}

func (b *snapshotBuilder) listInstallations() error {
	return b.installationsByNumber.Each(func(record []byte) error {
		b.Installations.Add(record[4:])
		return b.Installations.Err
	})
}

func (b *snapshotBuilder) listEvents() error {
	return b.eventsByTime.Each(func(record []byte) error {
		if b.Events.Count%blocks.RecordsPerBlock == 0 {
			b.Seconds = append(b.Seconds, int64(binary.BigEndian.Uint64(record)^1<<63))
		}
		b.Events.Add(record[sortableBytes:])
		return b.Events.Err
	})
}

// statedWithdrawals are the messages of a profile that end a consent whose end
// a reachability event states as well: only that one is shown as a change.
func statedWithdrawals(happened []record.Event) map[int]bool {
	var stated map[int]bool
	var next [input.Flags]bool // whether the next statement is an end
	for i := len(happened) - 1; i >= 0; i-- {
		e := &happened[i]
		if e.Type == "reachability" {
			for _, wanted := range e.DesiredChanges(nil) {
				if wanted.Flag == input.FlagEmailConsent || wanted.Flag == input.FlagSMSConsent {
					next[wanted.Flag] = !wanted.State
				}
			}
			continue
		}
		if ends, is := e.Withdrawal(); is && next[ends] {
			if stated == nil {
				stated = map[int]bool{}
			}
			stated[i] = true
		}
	}
	return stated
}
