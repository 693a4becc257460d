package dataset

import (
	"context"
	"errors"
	"runtime"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// logSegment is what was loaded between two resets. Its lists only grow, in the
// order of generations, so the state at any generation is a beginning of each.
type logSegment struct {
	since  int64 // generation
	origin string

	segmentLists
	names     *blocks.Index
	marks     segmentMarks
	faults    input.Faults
	lengths   []segmentLength // by generation, those that changed something
	encoding  []byte
	described input.Members
	declared  declared
}

// segmentLists are what was loaded.
type segmentLists struct {
	readers          *lease
	profiles         *blocks.List // profileName
	installations    *blocks.List // their identifiers
	profileRows      *blocks.List // profileVersion
	installationRows *blocks.List // installationVersion
	events           *blocks.List // loadedEvent
}

// lease is what everybody holds who reads the blocks of a segment.
type lease struct{ of blocks.Store }

func (l *segmentLists) all() [5]*blocks.List {
	return [5]*blocks.List{l.profiles, l.installations, l.profileRows, l.installationRows, l.events}
}

// segmentMarks are facts about profiles and installations by their number.
type segmentMarks struct {
	named                               blocks.NumberSet // profiles that a row gave a profile_id
	loadedProfiles, loadedInstallations blocks.NumberSet // those that have a row
}

// segmentLength is how long the lists were at a generation.
type segmentLength struct {
	generation int64
	counts     [5]int64
}

// profileName is a profile that rows refer to.
type profileName struct {
	id string // its profile_id, or one made of its custom_id
	// anonymous is 1 + the installation that it is there for; 0: it has a name.
	anonymous int32
}

// profileVersion and installationVersion are a profile and an installation as
// they are from a generation on.
type profileVersion struct {
	of  int32
	at  int64          // moment of loading
	row *input.Profile // nil: only named by another row
	// profileID and customID are the names that a row gives; empty where it
	// gives none.
	profileID, customID string
	encoded             string // the row, when it was read; empty: none
}

type installationVersion struct {
	of, owner int32
	at        int64
	row       *input.Installation // nil: only named by another row
	encoded   string              // the row, when it was read; empty: none
}

type loadedEvent struct {
	time                  int64
	profile, installation int32 // -1: none named
	row                   *input.Event
	encoded               string // the row, when it was read
}

func newLogSegment(since int64, kept blocks.Store) *logSegment {
	return &logSegment{since: since, names: blocks.NewIndex(kept), segmentLists: segmentLists{
		readers: &lease{kept}, profiles: blocks.NewList(kept), installations: blocks.NewList(kept), profileRows: blocks.NewList(kept), installationRows: blocks.NewList(kept), events: blocks.NewList(kept),
	}}
}

// blocks are all those of the segment.
func (e *logSegment) blocks() (numbers []int64) {
	for _, list := range e.all() {
		numbers = append(numbers, list.Full...)
	}
	return numbers
}

// giveUp gives the blocks back when their last reader has gone. The segment
// takes no more rows.
func (e *logSegment) giveUp() {
	e.names.Close()
	kept, numbers := e.readers.of, e.blocks()
	if len(numbers) > 0 {
		// An error means that the disk is in trouble, or closed: others will say it.
		runtime.AddCleanup(e.readers, func(numbers []int64) { _ = kept.Drop(numbers) }, numbers)
	}
}

var errFull = errors.New("there are more faults than are reported: reading on is of no use")

// load adds rows. With a checker it collects what is wrong with them in
// faults. The function that it returns takes everything out again; keep or it
// must be called.
func (e *logSegment) load(ctx context.Context, rows input.Source, generation, at int64, check Synthetic) (undo func() error, err error) {
	before, length := len(e.lengths), e.length(generation)
	a := builder{logSegment: e, at: at, check: check, knownProfiles: int32(length.counts[0]), knownInstallations: int32(length.counts[1])}
	e.names.Begin()
	undo = func() error {
		e.declared.remove(a.declaring)
		e.lengths = e.lengths[:before]
		for _, mark := range a.marked {
			mark.in.Remove(mark.entity)
		}
		e.marks.named.Truncate(a.knownProfiles)
		e.marks.loadedProfiles.Truncate(a.knownProfiles)
		e.marks.loadedInstallations.Truncate(a.knownInstallations)
		e.names.Undo()
		var errs []error
		for i, list := range e.all() {
			errs = append(errs, list.Truncate(length.counts[i]))
		}
		return errors.Join(errs...)
	}
	err = rows.Each(ctx, func(rows []input.Row) error { return a.add(rows) })
	if errors.Is(err, errFull) {
		err = nil
	}
	if now := e.length(generation); err == nil && now.counts != length.counts {
		e.lengths = append(e.lengths, now)
	}
	return undo, err
}

// length is how long the lists are.
func (e *logSegment) length(generation int64) segmentLength {
	length := segmentLength{generation: generation}
	for i, list := range e.all() {
		length.counts[i] = list.Count
	}
	return length
}

// until is what the segment held at a generation. What is added later does not
// show in it.
func (e *logSegment) until(generation int64) (segmentLists, error) {
	var counts [5]int64
	if later := sort.Search(len(e.lengths), func(i int) bool { return e.lengths[i].generation > generation }); later > 0 {
		counts = e.lengths[later-1].counts
	}
	var made [5]*blocks.List
	for i, list := range e.all() {
		var err error
		if made[i], err = list.Until(counts[i]); err != nil {
			return segmentLists{}, err
		}
	}
	return segmentLists{e.readers, made[0], made[1], made[2], made[3], made[4]}, nil
}

// The spaces of identifiers.
const (
	byProfileID byte = iota
	byCustomID
	byInstallID
)
