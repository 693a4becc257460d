package world

import (
	"math/bits"
	"sort"
)

// stream is a row of messages without end: in every week the same number of
// them, each at its place in the week, each to one recipient. Number q of week
// c goes to recipient orders.of(c).at(q), so the messages of an hour and those of
// a recipient are both found directly.
type stream struct {
	key     uint64
	orders  orders // of weeks: message number to recipient
	perWeek int64
	slot    int64 // seconds
	journey *journey
	when    schedule
	// campaigns are the orchestrations that send the messages: each is the
	// first step of its messages.
	campaigns []int
	// hourly are the numbers of the first messages of the hours of a week.
	hourly [7*24 + 1]int64
}

const week = 7 * day

// message is one message of a stream.
type message struct {
	key      uint64
	week     int64
	number   int64
	slot     int64 // the slot it is sent in, counted since 1970
	offset   int64 // seconds after the slot begins
	campaign int32 // index in campaigns
	order    *permutation
}

// recipient is who the message goes to, in [0, perWeek).
func (m *message) recipient() int64 { return m.order.at(m.number) }

// slotLengths all divide a week.
var slotLengths = [...]int64{3600, 1800, 900, 600, 300, 120, 60, 30, 10, 5, 2, 1}

func newStream(key uint64, perWeek int64, j *journey) *stream {
	s := &stream{key: key, orders: orders{key: key, n: perWeek}, perWeek: perWeek, journey: j, campaigns: campaignsOf(j)}
	for _, length := range slotLengths {
		s.slot = length
		if perWeek <= 128*week/length {
			break
		}
	}
	s.when = j.schedule(s.slot)
	for hour := range s.hourly {
		s.hourly[hour] = s.firstFrom(int64(hour) * 3600)
	}
	return s
}

// hourWeights are how many messages go out in each hour of a day, and
// dayWeights on each day of a week from Thursday on (1970 began on one).
var (
	hourWeights = [24]int64{2, 1, 1, 1, 1, 2, 5, 9, 14, 18, 20, 18, 16, 14, 13, 13, 15, 18, 20, 17, 12, 8, 5, 3}
	dayWeights  = [7]int64{10, 11, 7, 6, 9, 10, 10}
)

// hourSums are the sums of the weights of all hours of a week before each.
var hourSums = func() (sums [7*24 + 1]int64) {
	for hour := range 7 * 24 {
		sums[hour+1] = sums[hour] + hourWeights[hour%24]*dayWeights[hour/24]
	}
	return sums
}()

// firstFrom is the number of the first message of a week that is sent at or
// after an offset of seconds into it.
func (s *stream) firstFrom(offset int64) int64 {
	hour, rest := offset/3600, offset%3600
	sum := hourSums[hour] * 3600
	if rest > 0 {
		sum += (hourSums[hour+1] - hourSums[hour]) * rest
	}
	high, low := bits.Mul64(uint64(sum), uint64(s.perWeek))
	number, _ := bits.Div64(high, low, uint64(hourSums[7*24]*3600))
	return int64(number)
}

// numbersIn are the messages sent in a slot: those of a week from first up to,
// not including, last.
func (s *stream) numbersIn(slot int64) (week_, first, last int64) {
	start := slot * s.slot
	week_ = floorDivide(start, week)
	offset := start - week_*week
	if start < birth {
		return week_, 0, 0
	}
	return week_, s.firstFrom(offset), s.firstFrom(offset + s.slot)
}

// slotOf is the slot of a week in which a message is sent: first its hour, then
// a guess in proportion, which is off by one at most.
func (s *stream) slotOf(inWeek, number int64) int64 {
	hour := int64(sort.Search(7*24, func(hour int) bool { return s.hourly[hour+1] > number }))
	perHour := 3600 / s.slot
	slot := hour * perHour
	if first, last := s.hourly[hour], s.hourly[hour+1]; perHour > 1 && last > first {
		slot += (number - first) * perHour / (last - first)
		for s.firstFrom(slot*s.slot) > number {
			slot--
		}
		for s.firstFrom((slot+1)*s.slot) <= number {
			slot++
		}
	}
	return inWeek*(week/s.slot) + slot
}

// name makes m message number of its week.
func (s *stream) name(m *message, number int64) {
	m.key, m.number = draw(s.key^uint64(m.week), uint64(number)), number
	m.campaign = int32(below(draw(m.key, 2*maxSteps), int64(len(s.campaigns))))
}

// place finds the second in which a message is sent. The messages of its slot
// are first up to, not including, last.
func (s *stream) place(m *message, first, last int64) {
	m.offset = ((m.number-first)*s.slot + below(draw(m.key, 4*maxSteps), s.slot)) / (last - first)
}

// timeOf is when a step happens to a message, in seconds since 1970.
func (s *stream) timeOf(m *message, i int) int64 {
	t := int(m.number % tempos)
	return (m.slot+s.when.slots[i][t])*s.slot + s.offsetOf(m, i, t)
}

// offsetOf is how many seconds after the beginning of its slot a step happens:
// soon after the step before when both fall in one slot, else anywhere in it.
func (s *stream) offsetOf(m *message, i, t int) int64 {
	parent := s.journey.steps[i].parent
	if parent < 0 {
		return m.offset
	}
	random := draw(m.key, uint64(i)+maxSteps)
	if s.when.slots[i][t] != s.when.slots[parent][t] {
		return below(random, s.slot)
	}
	before := s.offsetOf(m, parent, t)
	room := s.slot - 1 - before
	if room <= 0 {
		return before
	}
	return before + 1 + below(random, min(2*s.when.seconds[i][t], room))
}

// visitSlot calls visit for every message to which one of the wanted steps
// happens in a slot, once per such step, unless it cannot be reached.
func (s *stream) visitSlot(slot int64, wanted uint64, visit func(m *message, step int)) {
	// Steps of many tempos look at the same few slots.
	var seen [16]struct {
		slot, week, first, last int64
		order                   *permutation
	}
	for i := range seen {
		seen[i].slot = -1 << 63
	}
	var m message
	for i := range s.journey.steps {
		step := &s.journey.steps[i]
		if wanted>>i&1 == 0 || step.consent {
			continue
		}
		for t := range int64(tempos) {
			m.slot = slot - s.when.slots[i][t]
			known := &seen[uint64(m.slot)%uint64(len(seen))]
			if known.slot != m.slot {
				known.slot = m.slot
				known.week, known.first, known.last = s.numbersIn(m.slot)
				known.order = s.orders.of(known.week)
			}
			m.week, m.order = known.week, known.order
			for number := known.first + ((t-known.first)%tempos+tempos)%tempos; number < known.last; number += tempos {
				s.name(&m, number)
				if s.campaigns[m.campaign] == step.root && s.journey.happens(m.key, step.root, i) {
					s.place(&m, known.first, known.last)
					visit(&m, i)
				}
			}
		}
	}
}

// visitRecipient calls visit for every message to one recipient that may have
// one of the wanted steps in [from, to), the latest week first. It returns the
// steps that are still wanted; none ends the visits.
func (s *stream) visitRecipient(recipient, from, to int64, wanted uint64, visit func(m *message) uint64) {
	var (
		m     message
		first = floorDivide(max(from-s.reach(), birth), week)
	)
	for inWeek := floorDivide(to-1, week); inWeek >= first && wanted != 0; inWeek-- {
		order := s.orders.of(inWeek)
		number := order.indexOf(recipient)
		m.week = inWeek
		s.name(&m, number)
		if !s.mayConcern(&m, wanted) {
			continue
		}
		slot := s.slotOf(inWeek, number)
		_, low, high := s.numbersIn(slot)
		if number < low || number >= high {
			continue // it would be sent before the world begins
		}
		m.slot, m.order = slot, order
		s.place(&m, low, high)
		wanted = visit(&m)
	}
}

// mayConcern says whether one of the wanted steps happens to a message.
func (s *stream) mayConcern(m *message, wanted uint64) bool {
	root := s.campaigns[m.campaign]
	for wanted != 0 {
		step := bits.TrailingZeros64(wanted)
		wanted &= wanted - 1
		if s.journey.steps[step].root == root && s.journey.happens(m.key, root, step) {
			return true
		}
	}
	return false
}

// reach is the longest time in seconds from sending a message to its last step.
func (s *stream) reach() int64 { return (s.when.longest + 1) * s.slot }

// campaigns is how many orchestrations send the messages of profiles.
const campaigns = 24

// campaignsOf shares the orchestrations among the first steps of a journey, by
// channel.
func campaignsOf(j *journey) (list []int) {
	weights := [...]int{channelNone: 2, channelEmail: 6, channelSMS: 2, channelPush: 4}
	for len(list) < campaigns && len(j.roots) > 0 {
		for _, root := range j.roots {
			for range weights[j.steps[root].channel] {
				list = append(list, root)
			}
		}
	}
	return list
}
