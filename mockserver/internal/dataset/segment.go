package dataset

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// logSegment is what was loaded between two resets. Its entries only grow, in the order of generations, so the state at any generation
// is a beginning of them.
type logSegment struct {
	since  int64 // generation
	origin string

	readers *lease
	entries *blocks.List
	names   *blocks.Index
	held
	faults   input.Faults
	encoding []byte
}

// held is what is known of the entries.
type held struct {
	// by the number of a profile or an installation
	profileMarks, installationMarks marks
	// how many profiles and installations have a number, how many of these a row, and how many events there are
	profiles, installations, loadedProfiles, loadedInstallations, events int32

	lengths  []segmentLength // by generation, those that changed something
	declared declared
}

// lease is what everybody holds who reads the blocks of a segment.
type lease struct{ of blocks.Store }

// marks are bits for each number.
type marks []byte

const (
	isNamed  byte = 1 << iota // a row gave it a profile_id
	isLoaded                  // it has a row
)

func (m marks) has(number int32, mark byte) bool {
	return number >= 0 && int(number) < len(m) && m[number]&mark != 0
}

// set marks a number, and reports whether it was not marked before.
func (m *marks) set(number int32, mark byte) bool {
	if m.has(number, mark) {
		return false
	}
	if grown := int(number) + 1 - len(*m); grown > 0 {
		*m = append(*m, make([]byte, grown)...)
	}
	(*m)[number] |= mark
	return true
}

// segmentLength is how many entries there were at a generation.
type segmentLength struct{ generation, entries int64 }

func newLogSegment(since int64, kept blocks.Store) *logSegment {
	return &logSegment{since: since, names: blocks.NewIndex(kept), readers: &lease{kept}, entries: blocks.NewList(kept)}
}

// giveUp gives the blocks back when their last reader has gone. The segment takes no more rows.
func (e *logSegment) giveUp() {
	e.names.Close()
	kept, numbers := e.readers.of, e.entries.Full
	if len(numbers) > 0 {
		// An error means that the disk is in trouble, or closed: others will say it.
		runtime.AddCleanup(e.readers, func(numbers []int64) { _ = kept.Drop(numbers) }, numbers)
	}
}

var errFull = errors.New("there are more faults than are reported: reading on is of no use")

// load adds rows. With check it collects what is wrong with them in faults. The function that it returns takes everything out again;
// keep or it must be called.
func (e *logSegment) load(ctx context.Context, rows input.Source, generation, at int64, check bool,
	drawn *world.World) (undo func() error, err error) {
	was, length := e.held, e.entries.Count
	a := builder{logSegment: e, at: at, check: check, drawn: drawn}
	e.profileMarks, e.installationMarks = slices.Clone(was.profileMarks), slices.Clone(was.installationMarks)
	e.declared.own = false
	e.names.Begin()
	undo = func() error {
		e.held = was
		e.names.Undo()
		return e.entries.Truncate(length)
	}
	err = rows.Each(ctx, func(rows []input.Row) error { return a.add(rows) })
	if errors.Is(err, errFull) {
		err = nil
	}
	if err == nil && e.entries.Count != length {
		e.lengths = append(e.lengths, segmentLength{generation, e.entries.Count})
	}
	return undo, err
}

// until is what the segment held at a generation. What is added later does not show in it.
func (e *logSegment) until(generation int64) (*blocks.List, error) {
	count := int64(0)
	if later := sort.Search(len(e.lengths), func(i int) bool { return e.lengths[i].generation > generation }); later > 0 {
		count = e.lengths[later-1].entries
	}
	return e.entries.Until(count)
}

// The spaces of identifiers.
const (
	byProfileID byte = iota
	byInstallID
)
