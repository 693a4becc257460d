package importer

import "time"

// told counts, by hour, what the event files of one export tell of, so that one knows which of them hold which hours: an event that
// two files hold is one event, and one that comes again in the window of the next file, with its old date, is not.
type told struct {
	groups map[int]string // by file: of which export and campaign it is
	counts map[toldIn]int32
	most   map[toldOf]int32 // the largest count of a group
	full   bool             // there are too many hours, and nothing is known of them
	memo   struct {
		date string
		hour int64
	}
}

// toldOf is an hour of events of one type; toldIn is one in a file.
type toldOf struct {
	group, event string
	hour         int64
}

type toldIn struct {
	file  int
	event string
	hour  int64
}

func newTold() *told {
	return &told{groups: map[int]string{}, counts: map[toldIn]int32{}, most: map[toldOf]int32{}}
}

// hourOf is the hour of a date, since 1970.
func (t *told) hourOf(date string) (hour int64, is bool) {
	const hours = "2006-01-02T15"
	if len(date) < len(hours) {
		return 0, false
	}
	if date = date[:len(hours)]; date != t.memo.date {
		at, err := time.Parse(hours, date)
		if err != nil {
			return 0, false
		}
		t.memo.date, t.memo.hour = date, at.Unix()/3600
	}
	return t.memo.hour, true
}

// count counts an event of a file.
func (t *told) count(file int, group, event, date string) {
	hour, is := t.hourOf(date)
	if !is {
		return
	}
	t.groups[file] = group
	in := toldIn{file, event, hour}
	if _, known := t.counts[in]; !known && len(t.counts) >= mostTold {
		t.full = true
		return
	}
	t.counts[in]++
	of := toldOf{group, event, hour}
	t.most[of] = max(t.most[of], t.counts[in])
}

// mostTold is how many hours of types of events in files are counted: some 30 MB.
const mostTold = 200_000

// fewOf is which part of the events of an hour, as another file has them, are so few that the hour does not belong to the window of a
// file: one in twenty of the events that come twice comes in the next window, and of late events hardly so many are missing.
const fewOf = 2

// holds reports whether a file holds an hour, and not only a few events that come again. The first and the last hour of a window may be
// parts of hours.
func (t *told) holds(file int, event string, hour int64) bool {
	whole := func(hour int64) bool {
		count := t.counts[toldIn{file, event, hour}]
		return count > 0 && fewOf*count >= t.most[toldOf{t.groups[file], event, hour}]
	}
	return whole(hour) || whole(hour-1) || whole(hour+1)
}

// isOne reports whether an event that other files hold may be the one that a file holds too.
func (t *told) isOne(others []int, file int, event, date string) bool {
	hour, is := t.hourOf(date)
	if !is || t.full {
		return true
	}
	group, known := t.groups[file]
	for _, other := range others {
		if known && t.groups[other] == group && !(t.holds(file, event, hour) && t.holds(other, event, hour)) {
			return false
		}
	}
	return true
}
