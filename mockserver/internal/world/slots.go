package world

import (
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// slotList is the slots that a view lists, in order of time: all slots of a
// span, or, of a stream that only sends one burst a week, those in which an
// event is possible.
type slotList struct {
	stream  *stream
	first   int64 // the first slot, or the first week
	count   int64 // slots
	perWeek int64 // 0: all slots count
	before  int64 // by how many seconds those of a week begin before its burst by UTC
}

func (s *stream) units(of span, all bool) slotList {
	list := slotList{stream: s}
	active := (s.rhythm.buckets*bucket + s.reach()) / s.slot
	if len(s.senders) == 1 && s.senders[0].local {
		// A burst for each zone, the first ten hours before and the last eight after that by UTC, or a week later or earlier.
		around := (burstWander + s.rhythm.buckets) * bucket
		list.before = around + int64(slices.Max(places.HoursAhead[:]))*3600
		active += (list.before + around - int64(slices.Min(places.HoursAhead[:]))*3600) / s.slot
	}
	if all || len(s.senders) != 1 || !s.senders[0].burst || active*s.slot > week-burstWander*bucket {
		list.first, list.count = of.slots(s.slot)
		return list
	}
	if of.to <= of.from {
		return list
	}
	list.perWeek = active
	list.first = floorDivide(of.from-active*s.slot, week)
	list.count = (floorDivide(of.to-1+list.before, week) - list.first + 1) * active
	return list
}

func (l *slotList) slotOf(unit int64) int64 {
	if l.perWeek == 0 {
		return l.first + unit
	}
	inWeek := l.first + unit/l.perWeek
	return (inWeek*week+l.stream.burstStart(int(l.stream.senders[0].number), inWeek)-l.before)/l.stream.slot + unit%l.perWeek
}

// following is how many of the slots behind that of a unit are listed next.
func (l *slotList) following(unit int64) int64 {
	if l.perWeek == 0 {
		return l.count - 1 - unit
	}
	return l.perWeek - 1 - unit%l.perWeek
}
