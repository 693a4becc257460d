package learn

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
)

// Files do not say when their rows arrived. But of two files with events of the same hours, the later one has rows that the other did not
// have yet; so what is missing from the earlier one, by how long before its end it happened, tells how many rows are late, and how late.
// A file is taken for one that was asked for when its window ended: of two with the same window, one was asked for later. The last hour
// of a file, in which it may have ended, tells nothing.

// The names of how many events of devices are missing from the earlier of two files, and of how long before its end they happened.
const (
	lateRows = "events that an earlier file did not have yet"
	lateAge  = "age of events that an earlier file did not have yet"
)

// copied are the files of one export and campaign, of which several tell of the same hours, in the order in which they were asked for.
type copied struct {
	inputs []int
	told   map[int]map[string]importer.Span // by input and type of event
	ends   map[int]time.Time
}

// lateness is what is counted of events in two files.
type lateness struct {
	files    map[int]*copied // by input
	devices  map[string]bool // the events of which devices tell
	observed map[observation]float64
	missing  map[bool]float64 // by whether the two have the same window
	// kept and lost are how many events of an earlier file a later one has, and has not.
	kept, lost float64
	people     cells            // those with missing events, and those with any
	ages       map[bool]float64 // sums, in seconds
}

// observation is how long before the end of the earlier file an event happened, and how much later the other ended: 0 for those with
// the same window. Both in steps.
type observation struct{ age, later int32 }

// lateStep is a step, in seconds; mostLate is how late an event is at most, and leastLate how long before the end of a file it happened
// that is looked for.
const (
	lateStep  = 600
	leastLate = 3_600
	mostLate  = 28 * daySeconds
)

func newLateness(j *journey) *lateness {
	made := &lateness{files: map[int]*copied{}, devices: map[string]bool{}, observed: map[observation]float64{}, people: newCells(2), missing: map[bool]float64{}, ages: map[bool]float64{}}
	for _, name := range arrival.Devices(j.inOrder()) {
		made.devices[name] = true
	}
	return made
}

// know finds the files of which several tell of the same events.
func (l *lateness) know(files []importer.File) {
	groups := map[string]*copied{}
	rows := map[int]int64{}
	for _, file := range files {
		if len(file.Tells) == 0 {
			continue
		}
		name := file.Kind + " " + file.Campaign
		if groups[name] == nil {
			groups[name] = &copied{told: map[int]map[string]importer.Span{}, ends: map[int]time.Time{}}
		}
		of := groups[name]
		of.inputs, of.told[file.Input] = append(of.inputs, file.Input), map[string]importer.Span{}
		rows[file.Input] = file.Rows
		for event, span := range file.Tells {
			of.told[file.Input][sameEvent(event)] = span
			if of.ends[file.Input].Before(span.To) {
				of.ends[file.Input] = span.To
			}
		}
	}
	for _, of := range groups {
		slices.SortStableFunc(of.inputs, func(a, b int) int {
			return cmp.Or(of.ends[a].Compare(of.ends[b]), cmp.Compare(rows[a], rows[b]))
		})
		if !of.overlap() {
			continue
		}
		for _, input := range of.inputs {
			l.files[input] = of
		}
	}
}

// overlap reports whether two of the files tell of the same hours, and not only of one in which one ends and the next begins.
func (of *copied) overlap() bool {
	for at, earlier := range of.inputs {
		for _, later := range of.inputs[at+1:] {
			for event, span := range of.told[earlier] {
				if other, is := of.told[later][event]; is && span.To.Sub(other.From) > time.Hour && other.To.Sub(span.From) > time.Hour {
					return true
				}
			}
		}
	}
	return false
}

// isIn reports whether a file tells of the hours of an event.
func (of *copied) isIn(input int, e eventRow) bool {
	span, is := of.told[input][sameEvent(e.Type)]
	return is && int64(e.Date) >= span.From.Unix() && int64(e.Date) < of.ends[input].Unix()
}

// countLate counts which events of a person an earlier file has, and which are only in a later one.
func (b *base) countLate(p *person) {
	l := b.times.late
	missing, all := 0.0, 0.0
	for _, e := range p.events {
		if !l.devices[sameEvent(e.Type)] {
			continue
		}
		var of *copied
		last := -1 // the latest of the files that have it
		for _, input := range e.inputs {
			if found := l.files[input]; found != nil && (of == nil || found == of) {
				of, last = found, max(last, slices.Index(found.inputs, input))
			}
		}
		for at := range max(last, 0) {
			earlier, later := of.inputs[at], of.inputs[last]
			age := of.ends[earlier].Unix() - int64(e.Date)
			if !of.isIn(earlier, e) || !of.isIn(later, e) || age < leastLate || age > mostLate {
				continue
			}
			steps := int32(of.ends[later].Sub(of.ends[earlier]) / (lateStep * time.Second))
			l.people.add(1, p.number)
			l.observed[observation{int32(age / lateStep), steps}]++
			compared := at >= len(of.inputs)-copiesOnTrial
			all += flag(compared)
			if !slices.Contains(e.inputs, earlier) {
				missing += flag(compared)
				l.missing[steps == 0]++
				l.ages[steps == 0] += float64(age)
				l.people.add(0, p.number)
				if compared {
					b.addDuration(lateAge, age, p.number)
				}
			} else {
				l.kept++
			}
		}
		for at := last + 1; of != nil && at < len(of.inputs); at++ {
			if input := of.inputs[at]; of.isIn(input, e) && of.ends[input].Unix()-int64(e.Date) >= leastLate && !of.ends[input].Equal(of.ends[of.inputs[last]]) {
				l.lost++
			}
		}
	}
	b.share(lateRows).add(missing, all)
}

// estimate is the share of late events, and up to how late they are: such that as many are missing as are, and that they happened as
// long before the end of the earlier file on average. A device is offline for a while that ends at a time that has nothing to do with
// the event, so an event waits for any part of the while. bounded: there are files long enough to tell the latter.
func (l *lateness) estimate() (spread arrival.Spread, bounded bool) {
	missing, ages := 0.0, 0.0
	for same, count := range l.missing {
		missing, ages = missing+count, ages+l.ages[same]
	}
	if missing == 0 {
		return spread, false
	}
	seen := l.seen()
	low, high := float64(time.Minute/time.Second), float64(mostLate)
	if _, age := seen.expected(high, missing); age*0.97 < ages/missing {
		return spread, false
	}
	for range 50 {
		middle := (low + high) / 2
		if _, age := seen.expected(middle, missing); age < ages/missing {
			low = middle
		} else {
			high = middle
		}
	}
	share, _ := seen.expected(high, missing)
	return arrival.Spread{Share: report.Significant(min(share, 1), 2), UpTo: roundedUp(high)}, true
}

// roundedUp is a duration of two digits, as few people have it.
func roundedUp(seconds float64) time.Duration {
	unit := time.Minute
	if seconds >= 6*3600 {
		unit = time.Hour
	}
	whole := max(report.Significant(seconds/unit.Seconds(), 2), 1)
	return time.Duration(math.Round(whole)) * unit
}

// sightings are how many events of files were seen, by how long before the end of the earlier file they happened and how much later the
// later one ended, in seconds.
type sightings []struct{ age, later, count float64 }

// seen are those of files of which one was surely asked for later: two with the same window and the same events were perhaps asked for
// at the same time.
func (l *lateness) seen() (made sightings) {
	keys := slices.SortedFunc(maps.Keys(l.observed), func(a, b observation) int { return cmp.Or(cmp.Compare(a.later, b.later), cmp.Compare(a.age, b.age)) })
	for _, at := range keys { // in order: sums of fractions depend on it
		later := float64(at.later) * lateStep
		if at.later == 0 {
			if later = math.Inf(1); l.missing[true] == 0 {
				continue
			}
		}
		made = append(made, struct{ age, later, count float64 }{(float64(at.age) + 0.5) * lateStep, later, l.observed[at]})
	}
	return made
}

// expected is which share is late if so many are missing and are up to so late, and how long before the end the missing ones happened
// on average.
func (s sightings) expected(upTo, missing float64) (share, age float64) {
	for range 8 { // what no file has is not seen
		all, sum := 0.0, 0.0
		for _, at := range s {
			seen := max(min(at.later, upTo-at.age), 0) / upTo
			unseen := max(upTo-at.age-at.later, 0) / upTo
			part := at.count * seen / max(1-share*unseen, 0.1)
			all, sum = all+part, sum+part*at.age
		}
		if all == 0 {
			return 1, 0
		}
		share, age = min(missing/all, 1), sum/all
	}
	return share, age
}

// mostLost is which part of the events of earlier files later ones may lack.
const mostLost = 0.05

// beginLate takes what was counted of late events.
func (l *Learned) beginLate(d *draft) {
	counted := l.base.times.late
	switch {
	case len(counted.seen()) == 0 || counted.people.people[1] < manyPeople*l.Least:
		l.leave("arrival", "no two files have events that devices of %d people told, of hours that both tell of; ask for the same window again some days later", manyPeople*l.Least)
	case counted.lost > mostLost*(counted.lost+counted.kept):
		l.leave("arrival", "later files do not have the events of earlier ones, so they are not of the same people, or were asked for something else")
	case counted.people.people[0] < manyDurations*l.Least:
		l.leave("arrival", "fewer than %d people have events that an earlier file did not have yet; all are taken for in time", manyDurations*l.Least)
	default:
		spread, bounded := counted.estimate()
		if !bounded {
			l.leave("arrival", "the files are of too short windows, or were asked for too soon after each other, to tell how late events are")
			return
		}
		d.timing.late = spread
	}
}

// windowOf is a file that is asked for on trial, at a time.
type windowOf struct{ from, to, now time.Time }

// copiesOnTrial is how many of the files of one export are made, and compared: the latest of them.
const copiesOnTrial = 8

// copies are, by kind, the windows of files of which several tell of the same hours: those of the first campaign that has such.
func (b *base) copies() map[string][]windowOf {
	made := map[string][]windowOf{}
	for _, file := range b.files {
		of := b.times.late.files[file.Input]
		if of == nil || made[file.Kind] != nil {
			continue
		}
		inputs := of.inputs[max(len(of.inputs)-copiesOnTrial, 0):]
		for at, input := range inputs {
			window := windowOf{to: of.ends[input], now: of.ends[input]}
			for _, span := range of.told[input] {
				if window.from.IsZero() || span.From.Before(window.from) {
					window.from = span.From
				}
			}
			if at > 0 && of.ends[inputs[at-1]].Equal(of.ends[input]) { // when everything has arrived
				window.now = window.now.Add(mostLate * time.Second)
			}
			made[file.Kind] = append(made[file.Kind], window)
		}
	}
	return made
}
