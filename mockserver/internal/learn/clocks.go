package learn

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// An orchestration sends by the clock of its sender or by those of the people it writes to: whichever of them shows its messages at
// fewer hours. That can be told if people live in several time zones. Those of people are looked at as they are and as the world has
// them, in a few zones without summer time.

// localSending is the name of the share of orchestrations that send by the clocks of people.
const localSending = "local-sending"

// onTheSpot is what the hours and weekdays of messages are called that are those where people live.
const onTheSpot = " where people live"

// clocks are when one orchestration sent, by each clock.
type clocks struct {
	zones cells // by how many hours ahead of UTC they are
	by    [clockKinds]times24
}

// times24 are hours and weekdays.
type times24 struct{ hours, weekdays cells }

// The clocks that messages may go out by.
const (
	senderClock = iota // UTC
	peopleClock
	roughClock // of people, in the zones of the world
	clockKinds
)

// Zones are from twelve hours behind UTC to fourteen ahead.
const (
	mostBehind = 12
	zoneHours  = mostBehind + 14 + 1
)

func newClocks(least int64) *clocks {
	made := &clocks{zones: newCells(zoneHours)}
	for by := range made.by {
		made.by[by] = times24{newTimes(world.HoursOfDay, least), newTimes(world.DaysOfWeek, least)}
	}
	return made
}

// add counts when a message went out.
func (t *times24) add(at time.Time, person int64) {
	t.hours.add(at.Hour(), person)
	t.weekdays.add(fromMonday(at), person)
}

// rough is the clock of the zone of the world that a time zone belongs to.
func (t *times) rough(name string, zone *time.Location) *time.Location {
	if known := t.roughly[name]; known != nil {
		return known
	}
	_, seconds := time.Date(2025, 1, 1, 0, 0, 0, 0, zone).Zone()
	made := time.FixedZone("", world.HoursAhead(name, seconds)*3600)
	if len(t.roughly) < mostValues {
		t.roughly[name] = made
	}
	return made
}

// countClocks counts when a message went out where the person lives whom it went to, if that is known.
func (b *base) countClocks(m *message, p *person) {
	if m.channel == "inapp" || p.profile == nil || p.profile.Timezone == "" {
		return
	}
	zone, err := b.times.zone(p.profile.Timezone)
	if err != nil {
		return
	}
	local := time.Unix(int64(m.sent), 0).In(zone)
	b.timesOf(sendHours+onTheSpot, world.HoursOfDay).add(local.Hour(), p.number)
	b.timesOf(sendWeekdays+onTheSpot, world.DaysOfWeek).add(fromMonday(local), p.number)
	if m.sender == "" {
		return
	}
	of := b.times.clocks[m.sender]
	if of == nil && len(b.times.clocks) >= mostValues {
		return
	}
	if of == nil {
		of = newClocks(int64(b.times.first.least))
		b.times.clocks[m.sender] = of
	}
	rough := local.In(b.times.rough(p.profile.Timezone, zone))
	_, ahead := rough.Zone() // without summer time: one zone is not two
	of.zones.add(min(max(ahead/3600+mostBehind, 0), zoneHours-1), p.number)
	of.by[senderClock].add(local.UTC(), p.number)
	of.by[peopleClock].add(local, p.number)
	of.by[roughClock].add(rough, p.number)
}

func fromMonday(at time.Time) int {
	return (int(at.Weekday()) + world.DaysOfWeek - 1) % world.DaysOfWeek
}

// clearly is by how much the logarithms of the likelihoods of two clocks differ at least, for each to be told from the other.
const clearly = 5

// best is the clock that explains best when an orchestration sent; known: so many people in each of two zones got its messages, and
// it is clear whether it is that of the sender.
func (c *clocks) best(least int64) (best int, known bool) {
	zones := 0
	for _, people := range c.zones.people {
		if people >= least {
			zones++
		}
	}
	best = peopleClock
	if c.by[roughClock].hours.entropy() < c.by[peopleClock].hours.entropy() {
		best = roughClock
	}
	better := (c.by[senderClock].hours.entropy() - c.by[best].hours.entropy()) * c.zones.all() // one gets them weeks apart
	if better <= 0 {
		best = senderClock
	}
	return best, zones > 1 && math.Abs(better) >= clearly
}

// entropy is that of the cells, in nats.
func (c *cells) entropy() (sum float64) {
	all := c.all()
	for _, count := range c.counts {
		if count > 0 {
			part := float64(count) / all
			sum -= part * math.Log(part)
		}
	}
	return sum
}

// clockShare is the share of orchestrations, of those of which it is known, that send by the clocks of people.
func (b *base) clockShare(least int64) (made share) {
	for _, of := range b.times.clocks {
		if best, known := of.best(least); known {
			made.add(flag(best != senderClock), 1)
		}
	}
	return made
}

// beginClocks takes the share of orchestrations that send by the clocks of people, and when each sends by its own.
func (l *Learned) beginClocks(d *draft) {
	counted := l.base.clockShare(l.Least)
	if counted.n == 0 {
		l.leave(localSending, "the files do not show messages of an orchestration to %d people in each of two time zones, or not at hours that tell clocks apart", l.Least)
		return
	}
	share := counted.rate()
	d.timing.local = &share
	if share == 0 {
		return
	}
	for name, of := range map[string]func(*times24) *cells{
		sendHours:    func(t *times24) *cells { return &t.hours },
		sendWeekdays: func(t *times24) *cells { return &t.weekdays },
	} {
		all := l.base.cells[name+onTheSpot]
		weights := weightsOf(l.base.byOwnClock(len(all.counts), l.Least, of), l.Least)
		if weights == nil && share > 0.5 { // too few people got the messages of each
			weights = weightsOf(all, l.Least)
		}
		if weights != nil {
			d.weights[name] = weights
			delete(l.Left, name)
		}
	}
}

// byOwnClock are the cells of all orchestrations, each by its clock. People of several are not told apart, so a cell counts as
// shared by as many as that of some orchestration is.
func (b *base) byOwnClock(count int, least int64, of func(*times24) *cells) *cells {
	made := newTimes(count, least)
	for _, name := range slices.Sorted(maps.Keys(b.times.clocks)) {
		best, known := b.times.clocks[name].best(least)
		if !known {
			best = senderClock
		}
		its := of(&b.times.clocks[name].by[best])
		for cell := range made.counts {
			made.counts[cell] += its.counts[cell]
			made.people[cell] = max(made.people[cell], its.people[cell])
			made.who[cell] = append(made.who[cell], its.who[cell]...)
		}
	}
	return &made
}

// correctClocks moves the share: of those that send all the time by the clocks of people it is known less often, which a trial shows.
func (d *draft) correctClocks(wanted, shown *base) {
	if d.timing.local == nil || *d.timing.local == 0 || *d.timing.local == 1 {
		return
	}
	aim, got := wanted.clockShare(int64(wanted.times.first.least)), shown.clockShare(int64(shown.times.first.least))
	if got.x > 0 && got.x < got.n {
		*d.timing.local = movedBy(*d.timing.local, aim.rate(), got.rate())
	}
}

// compareClocks compares how many orchestrations send by the clocks of people.
func compareClocks(a, b *base, least int64, z float64, set bool) []report.Comparison {
	of, other := a.clockShare(least), b.clockShare(least)
	if of.n == 0 || other.n == 0 {
		return nil
	}
	made := compareShares(localSending, &of, &other, z, set)
	made.People = report.Roughly(a.cells[sendHours+onTheSpot].contributing)
	return []report.Comparison{made}
}
