package world

import (
	"sort"
	"sync/atomic"
)

// segmentView lists the events of the members of a segment, in order of time.
// It collects and sorts the events of all members in one chunk of time, and
// caches the chunk while its slices are read; so its cost depends on the size
// of the segment, not on that of the world.
type segmentView struct {
	whole   View
	span    span
	members permutation // permutation of profiles: the first size of them
	size    int64
	// appendMember adds what happened to a profile in [from, to), in any order.
	appendMember func(rows []Row, profile, from, to int64) []Row
	chunkSeconds int64 // seconds, a power of two
	first        int64 // the first slice
	count        int64 // slices
	chunks       [4]atomic.Pointer[rowChunk]
}

type rowChunk struct {
	number int64
	rows   []Row
}

const (
	chunkSlices = 256
	chunkRows   = 16 << 10 // about the most rows that a chunk has
	shortChunk  = 1 << 12  // seconds
	longChunk   = 1 << 21

	// A segment with more events than this in a week is found by filtering
	// everybody: one chunk would need too much work or memory.
	maxWeeklyEvents = 1 << 18
)

// filteredView is a view restricted to the members of a segment.
type filteredView struct {
	View
	members permutation
	size    int64
}

// Unwrap is the view of everybody.
func (f *filteredView) Unwrap() View { return f.View }

// Unwrap is the view of everybody.
func (v *segmentView) Unwrap() View { return v.whole }

func (f *filteredView) Append(rows []Row, unit int64) []Row {
	begin := len(rows)
	rows = f.View.Append(rows, unit)
	kept := begin
	for i := begin; i < len(rows); i++ {
		if f.members.indexOf(rows[i].Profile) < f.size {
			rows[kept] = rows[i]
			kept++
		}
	}
	return rows[:kept]
}

// segment is the members of a segment: the first size profiles of a
// permutation.
func (w *World) segment(code string) (members permutation, size int64) {
	key := keyOf(w.seed, "segment "+code)
	return newPermutation(key, w.profiles), shareOf(key, w.profiles, leastSegment, mostSegment)
}

// inSegment restricts a view of events to a segment; weekly is about how many
// events a profile has in a week.
func (w *World) inSegment(view View, code string, s span, weekly float64, of func(rows []Row, profile, from, to int64) []Row) View {
	if code == "" || w.profiles == 0 {
		return view
	}
	members, size := w.segment(code)
	all := weekly * float64(size)
	if all > maxWeeklyEvents || size > w.profiles/4 {
		return &filteredView{View: view, members: members, size: size}
	}
	made := &segmentView{whole: view, span: s, members: members, size: size, appendMember: of, chunkSeconds: longChunk}
	for made.chunkSeconds > shortChunk && all*float64(made.chunkSeconds)/week > chunkRows {
		made.chunkSeconds /= 2
	}
	made.first, made.count = s.slots(made.chunkSeconds / chunkSlices)
	return made
}

func (v *segmentView) Events() []string { return v.whole.Events() }
func (v *segmentView) Units() int64     { return v.count }

func (v *segmentView) Append(rows []Row, unit int64) []Row {
	slice := v.first + unit
	length := v.chunkSeconds / chunkSlices
	all := v.rowsOfChunk(floorDivide(slice, chunkSlices))
	from, to := max(slice*length, v.span.from), min((slice+1)*length, v.span.to)
	first := sort.Search(len(all), func(i int) bool { return all[i].Time >= from })
	last := first + sort.Search(len(all)-first, func(i int) bool { return all[first+i].Time >= to })
	return append(rows, all[first:last]...)
}

// rowsOfChunk returns the sorted rows of a chunk.
func (v *segmentView) rowsOfChunk(number int64) []Row {
	place := &v.chunks[uint64(number)%uint64(len(v.chunks))]
	if kept := place.Load(); kept != nil && kept.number == number {
		return kept.rows
	}
	from, to := max(number*v.chunkSeconds, v.span.from), min((number+1)*v.chunkSeconds, v.span.to)
	made := &rowChunk{number: number}
	for rank := range v.size {
		made.rows = v.appendMember(made.rows, v.members.at(rank), from, to)
	}
	sortRows(made.rows)
	place.Store(made)
	return made.rows
}

// appendOf adds the events of the messages to one profile.
func (v *messages) appendOf(rows []Row, profile, from, to int64) []Row {
	var m message
	reached := weeklyReach{view: v, block: profile >> blockBits, members: setOf(profile)}
	v.stream.visitBlock(profile>>blockBits, v.wantedSteps, from, to, setOf(profile), func(b *batch, sent *sending) memberSet {
		members, root, found := sent.members, sent.waves[0].root, false
		certain, possible := reached.in(b.plan.week, v.stream.journey.steps[root].channel, members)
		if certain|possible == 0 {
			return members
		}
		m.reachable = certain != 0
		for steps := v.wantedSteps & v.stream.journey.rooted[root]; steps != 0; {
			step := steps.pop()
			if b.happening(step, members) == 0 {
				continue
			}
			if !found {
				if found = b.messageAt(&m, sent.waveTo(setOf(profile)), int(uint64(profile)%blockSize)); !found {
					return members
				}
			}
			if at := v.stream.timeOf(&m, step); at >= from && at < to {
				if row := (Row{}); v.reached(&row, &m, step, at) {
					rows = append(rows, row)
				}
			}
		}
		return members
	})
	for i := range v.endings {
		v.endings[i].visitOf(v, profile, from, to, func(row Row) {
			if v.wantedSteps.has(int(row.Event)) {
				rows = append(rows, row)
			}
		})
	}
	return rows
}

// appendOf adds the changes of one profile and its installations.
func (c *changes) appendOf(rows []Row, profile, from, to int64) []Row {
	for _, kind := range c.kinds {
		first, count := profile, int64(1)
		if changeTypes[kind].installation {
			first, count = c.world.installationsOf(profile)
		}
		line := c.world.timelineOf(kind)
		for entity := first; entity < first+count; entity++ {
			for at := line.nextChange(entity, from-1, to); at < to; at = line.nextChange(entity, at, to) {
				if !changeTypes[kind].installation || c.world.isInstalledBy(entity, profile, at-1) {
					rows = c.appendRow(rows, kind, change{entity: entity, person: profile, at: at, state: line.at(entity, at)})
				}
			}
		}
	}
	return rows
}
