package world

import (
	"sort"
	"sync/atomic"
)

// segmented lists the events of the members of a segment, in order of time. It
// asks each member what happened in a chapter of time, sorts that, and keeps
// it while the slices of the chapter are asked for; so it looks at nobody else,
// however many there are.
type segmented struct {
	whole   View
	span    span
	members permutation // rank to profile
	size    int64
	// of adds what happened to a profile in [from, to), in any order.
	of      func(rows []Row, profile, from, to int64) []Row
	chapter int64 // seconds, a power of two
	first   int64 // the first slice
	count   int64 // slices
	kept    [4]atomic.Pointer[chapter]
}

type chapter struct {
	number int64
	rows   []Row
}

const (
	chapterSlices = 256
	chapterRows   = 16 << 10 // about how many rows a chapter has at most
	shortChapter  = 1 << 12  // seconds
	longChapter   = 1 << 21

	// A segment with more events than this in a week is found by looking at
	// everybody: one chapter would need too much work or memory.
	mostWeekly = 1 << 18
)

// filtered is a view without the rows of those who are not in a segment.
type filtered struct {
	View
	members permutation
	size    int64
}

// Unwrap is the view of everybody.
func (f *filtered) Unwrap() View { return f.View }

// Unwrap is the view of everybody.
func (v *segmented) Unwrap() View { return v.whole }

func (f *filtered) Append(rows []Row, unit int64) []Row {
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

// segment is who belongs to a segment: the profiles of the first ranks.
func (w *World) segment(code string) (members permutation, size int64) {
	key := keyOf(w.seed, "segment "+code)
	return newPermutation(key, w.profiles), w.shareOf(w.settings.SegmentShare, key, w.profiles, 5, 50)
}

// inSegment restricts a view of events to a segment; weekly is about how many
// of them a profile has in a week.
func (w *World) inSegment(view View, code string, s span, weekly float64, of func(rows []Row, profile, from, to int64) []Row) View {
	if code == "" || w.profiles == 0 {
		return view
	}
	members, size := w.segment(code)
	all := weekly * float64(size)
	if all > mostWeekly || size > w.profiles/4 {
		return &filtered{View: view, members: members, size: size}
	}
	made := &segmented{whole: view, span: s, members: members, size: size, of: of, chapter: longChapter}
	for made.chapter > shortChapter && all*float64(made.chapter)/week > chapterRows {
		made.chapter /= 2
	}
	made.first, made.count = s.slots(made.chapter / chapterSlices)
	return made
}

func (v *segmented) Events() []string { return v.whole.Events() }
func (v *segmented) Units() int64     { return v.count }

func (v *segmented) Append(rows []Row, unit int64) []Row {
	slice := v.first + unit
	length := v.chapter / chapterSlices
	all := v.in(floorDivide(slice, chapterSlices))
	from, to := max(slice*length, v.span.from), min((slice+1)*length, v.span.to)
	first := sort.Search(len(all), func(i int) bool { return all[i].Time >= from })
	last := first + sort.Search(len(all)-first, func(i int) bool { return all[first+i].Time >= to })
	return append(rows, all[first:last]...)
}

// in are the rows of a chapter.
func (v *segmented) in(number int64) []Row {
	place := &v.kept[uint64(number)%uint64(len(v.kept))]
	if kept := place.Load(); kept != nil && kept.number == number {
		return kept.rows
	}
	from, to := max(number*v.chapter, v.span.from), min((number+1)*v.chapter, v.span.to)
	made := &chapter{number: number}
	for rank := range v.size {
		made.rows = v.of(made.rows, v.members.at(rank), from, to)
	}
	sortRows(made.rows)
	place.Store(made)
	return made.rows
}

// appendOf adds what happened to the messages to one profile.
func (v *messages) appendOf(rows []Row, profile, from, to int64) []Row {
	var m message
	reached := weeklyReach{view: v, block: profile >> blockBits, who: placeIn(profile)}
	v.stream.visitBlock(profile>>blockBits, from, to, 1<<(uint64(profile)%blockSize), func(b *batch, l *lane, who uint64) uint64 {
		found := false
		sure, maybe := reached.in(b.in.week, v.stream.journey.steps[l.root].channel, who)
		if sure|maybe == 0 {
			return who
		}
		m.sure = sure != 0
		for steps := v.wanted & v.stream.journey.rooted[l.root]; steps != 0; {
			step := next(&steps)
			if b.happening(step, who) == 0 {
				continue
			}
			if !found {
				if found = b.messageAt(&m, l, int(uint64(profile)%blockSize)); !found {
					return who
				}
			}
			if at := v.stream.timeOf(&m, step); at >= from && at < to {
				if row, happened := v.reached(&m, step, at); happened {
					rows = append(rows, row)
				}
			}
		}
		return who
	})
	for i := range v.farewells {
		v.farewells[i].visitOf(v, profile, from, to, func(row Row) {
			if v.wanted>>row.Event&1 == 1 {
				rows = append(rows, row)
			}
		})
	}
	return rows
}

// appendOf adds what changed about one profile and its installations.
func (c *changes) appendOf(rows []Row, profile, from, to int64) []Row {
	for _, kind := range c.kinds {
		first, count := profile, int64(1)
		if changeTypes[kind].installation {
			first, count = c.world.installationsOf(profile)
		}
		line := c.world.timelineOf(kind)
		for thing := first; thing < first+count; thing++ {
			for at := line.nextChange(thing, from-1, to); at < to; at = line.nextChange(thing, at, to) {
				if row, told := c.rowOf(kind, change{thing: thing, at: at, state: line.at(thing, at)}); told {
					rows = append(rows, row)
				}
			}
		}
	}
	return rows
}
