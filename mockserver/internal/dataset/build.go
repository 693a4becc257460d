package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
)

// snapshotBuilder puts what was loaded to the people it is about: first installations and their events to who has them, and then all
// to the profiles. Both times it is sorted on disk, so memory does not grow with the rows.
type snapshotBuilder struct {
	*Snapshot
	text                []byte
	ofDevices, ofPeople *extsort.Sorter
}

// newSnapshot joins what was loaded. A block that cannot be read panics, see [blocks.Decoder]; here it is an error.
func newSnapshot(readers *lease, entries *blocks.List, generation, since int64) (s *Snapshot, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s, err = nil, fmt.Errorf("the dataset cannot be read: %v", cause)
		}
	}()
	kept := entries.Blocks
	made := &Snapshot{generation: generation, since: since, results: map[string]any{}, people: blocks.NewList(kept)}
	defer func() {
		if err != nil { // what was made before it takes no room
			err = errors.Join(err, kept.Drop(made.people.Full))
		}
	}()
	b := snapshotBuilder{Snapshot: made, ofDevices: newSorter(kept), ofPeople: newSorter(kept)}
	defer b.ofDevices.Close()
	defer b.ofPeople.Close()
	if err := b.sort(entries); err != nil {
		return nil, err
	}
	runtime.KeepAlive(readers) // of blocks that may be given up meanwhile
	if err := b.joinDevices(); err != nil {
		return nil, err
	}
	if err := b.joinPeople(); err != nil {
		return nil, err
	}
	made.dropWhenUnused()
	return made, nil
}

// sort puts entries to the installation or the profile that they are about.
func (b *snapshotBuilder) sort(entries *blocks.List) error {
	for at := entries.From(0); at.More(entries.Count); {
		d := blocks.NewDecoder(at.Record())
		e := decodeEntry(&d)
		when := moment{number: int32(at.Number())}
		if e.kind == ofEvent {
			when.second = e.at
			b.events++
		}
		to, by := b.ofDevices, e.installation
		if e.kind == ofProfile || by < 0 {
			to, by = b.ofPeople, e.profile
		}
		b.text = appendMoment(append(appendNumber(b.text[:0], by), e.kind), when)
		if err := to.Add(e.append(b.text)); err != nil {
			return err
		}
	}
	return nil
}

// joinDevices goes through all installations, with their events, and puts both to the people they belong to.
func (b *snapshotBuilder) joinDevices() error {
	all := streamOf(b.ofDevices)
	defer all.stop()
	for all.record != nil {
		number := numberOf(all.record)
		in := entry{kind: ofInstallation, installation: number}
		first := true
		for text := all.of(number); text != nil && text[0] == ofInstallation; text = all.of(number) {
			next := entryIn(text)
			if first {
				in.at, in.id, first = next.at, next.id, false
			}
			if in.profile = next.profile; next.row != "" {
				in.row = next.row
			}
			all.advance()
		}
		if err := b.put(in.profile, moment{number: number}, &in); err != nil {
			return err
		}
		for text := all.of(number); text != nil; text = all.of(number) {
			if err := b.putEvent(entryIn(text), momentIn(text[1:]), &in); err != nil {
				return err
			}
			all.advance()
		}
	}
	return all.err
}

// putEvent puts an event to the profile that it names, and to the one that has its installation.
func (b *snapshotBuilder) putEvent(e entry, when moment, on *entry) error {
	if e.profile < 0 {
		e.profile = on.profile
	}
	if e.profile != on.profile {
		elsewhere := e
		elsewhere.side = ofDeviceAlone
		if err := b.put(on.profile, when, &elsewhere); err != nil {
			return err
		}
		e.side = ofPersonAlone
		named := entry{kind: ofInstallation, installation: on.installation, at: on.at, id: on.id, row: on.row, side: ofPersonAlone}
		if err := b.put(e.profile, moment{number: on.installation}, &named); err != nil {
			return err
		}
	}
	return b.put(e.profile, when, &e)
}

func (b *snapshotBuilder) put(person int32, when moment, e *entry) error {
	b.text = appendMoment(append(appendNumber(b.text[:0], person), e.kind), when)
	return b.ofPeople.Add(e.append(b.text))
}

// joinPeople goes through all profiles, with their installations and events.
func (b *snapshotBuilder) joinPeople() error {
	all := streamOf(b.ofPeople)
	defer all.stop()
	for all.record != nil {
		number := numberOf(all.record)
		b.text = b.text[:0]
		for text := all.of(number); text != nil; text = all.of(number) {
			b.text = append(binary.AppendUvarint(b.text, uint64(len(text))), text...)
			all.advance()
		}
		b.people.Add(b.text)
	}
	return errors.Join(all.err, b.people.Err)
}
