package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"

// sending is the messages of a batch to some members: those of one wave, or of several that differ
// by the clocks of time zones alone. What becomes of them is the same, but when.
type sending struct {
	waves   []sendWave
	zones   *[places.Zones]memberSet // of the block
	members memberSet
}

// to are those of some members to whom one of the waves goes.
func (s *sending) to(wave *sendWave, members memberSet) memberSet {
	if wave.zoned {
		members &= s.zones[wave.zone]
	}
	return members
}

// waveTo is the wave that goes to a member.
func (s *sending) waveTo(member memberSet) *sendWave {
	for i := range s.waves[1:] {
		if wave := &s.waves[i+1]; s.to(wave, member) != 0 {
			return wave
		}
	}
	return &s.waves[0]
}

// visitBlock calls visit for the messages to some members of a block, in the
// weeks in which one of some steps may happen in [from, to), the latest first, with the
// batch. visit returns the members that it still wants to see; none of them ends the visits.
func (s *stream) visitBlock(block int64, steps stepSet, from, to int64, members memberSet, visit func(b *batch, sent *sending) memberSet) {
	sent := from - s.reachOf(steps)
	first := floorDivide(max(sent, worldStart), week)
	if len(s.senders) == 0 || s.weekly == 0 {
		return
	}
	b, _ := s.kept.batches.Get().(*batch)
	if b == nil {
		b = &batch{outcomes: &outcomes{}}
	}
	defer s.kept.batches.Put(b)
	var zones [places.Zones]memberSet
	if members = s.audienceOf(&zones, block, members); members == 0 {
		return
	}
	for inWeek := floorDivide(to-1, week); inWeek >= first && members != 0; inWeek-- {
		plan := s.planOf(inWeek)
		if block >= plan.blocks {
			return // none of them exists yet
		}
		// Of the first and the last week, only messages that are sent in time count.
		begin, end := floorDivide(sent, s.slot)*s.slot-inWeek*week, (floorDivide(to-1, s.slot)+1)*s.slot-inWeek*week
		members = s.visitWeek(b, plan, block, steps, begin, end, members, &zones, visit)
	}
}

// audienceOf are those of some members of a block that are in the audience, and by time zone
// the ones who use the app at its hours, or whose hours it sends at, if the stream tells them apart.
func (s *stream) audienceOf(zones *[places.Zones]memberSet, block int64, members memberSet) memberSet {
	if s.recipients.audience != nil {
		members = s.recipients.audience(block, members)
	}
	if s.recipients.using != nil || s.rhythm.local[0] != nil {
		*zones = s.recipients.zones(block, 0)
	}
	return members
}

// visitWeek does so for the messages of a week that are sent between two offsets in it and
// may reach one of some steps,
// and returns the members that are still to be seen.
func (s *stream) visitWeek(b *batch, plan *weekPlan, block int64, steps stepSet, begin, end int64, members memberSet, zones *[places.Zones]memberSet, visit func(b *batch, sent *sending) memberSet) memberSet {
	sent := &b.visited.sending
	sent.zones = zones
	for nth := range s.messagesPerMember {
		waves := s.beginFor(b, plan, block, nth)
		using := wholeBlock
		if s.recipients.using != nil && len(waves) > 0 {
			using = s.recipients.using(b, members)
		}
		for len(waves) > 0 && waves[0].first < b.first+blockSize {
			sent.waves = waves[:waves[0].alike()]
			waves = waves[len(sent.waves):]
			if members&using == 0 || s.journey.rooted[sent.waves[0].root]&steps == 0 {
				continue
			}
			if sent.members = b.sentBetween(sent, begin, end, members&using); sent.members != 0 {
				left := visit(b, sent)
				members &^= sent.members &^ left
			}
		}
	}
	return members
}

// alike is how many waves of a week from one on differ by their time zones alone.
func (wave *sendWave) alike() int {
	if wave.zoned {
		return places.Zones
	}
	return 1
}

// sentBetween are those of some members to whom messages go between two offsets in the week.
func (b *batch) sentBetween(sent *sending, begin, end int64, among memberSet) memberSet {
	first := &sent.waves[0]
	low, high := first.first, first.first+first.count
	if begin <= 0 && end >= week {
		return b.sentTo(low, high, first.of(b.first), among)
	}
	members := memberSet(0)
	for i := range sent.waves {
		wave := &sent.waves[i]
		if here := sent.to(wave, among); here != 0 && !wave.silent(begin, end) {
			members |= b.sentTo(low+wave.countUntil(begin), low+wave.countUntil(end), wave.of(b.first), here)
		}
	}
	return members
}
