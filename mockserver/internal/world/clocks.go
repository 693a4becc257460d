package world

import (
	"cmp"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// An orchestration sends by one clock, that of its sender, or by those of the people it writes to: then the messages of a week are
// one wave for each time zone, in place of one, and each of them is what those messages are that go to people there.

// sendLocally chooses which orchestrations send by the clocks of the people they write to: those of SMS and push messages, which ring
// at night, before those of e-mails, and beside each other as large a share of each kind as possible, since they differ in how many messages they send.
func sendLocally(key uint64, all []orchestration, share float64) {
	for _, shown := range []bool{true, false} {
		var quiet, others []*orchestration
		ranks := map[*orchestration]uint64{}
		for i := range all {
			o := &all[i]
			switch ranks[o] = draw(mix(key+3), uint64(i)); {
			case o.shown != shown:
			case o.channel == channelEmail:
				others = append(others, o)
			default:
				quiet = append(quiet, o)
			}
		}
		count := int(float64(float64(len(quiet)+len(others))*share) + 0.5)
		first := min(count, len(quiet))
		chooseLocal(quiet, ranks, first)
		chooseLocal(others, ranks, count-first)
	}
}

// chooseLocal spreads so many choices evenly over some orchestrations, in the order of their kinds.
func chooseLocal(among []*orchestration, ranks map[*orchestration]uint64, count int) {
	slices.SortStableFunc(among, func(a, b *orchestration) int {
		return cmp.Or(compareFlags(a.burst, b.burst), cmp.Compare(a.channel, b.channel), cmp.Compare(ranks[a], ranks[b]))
	})
	for i, o := range among {
		o.local = ((i+1)*count+len(among)/2)/len(among) > (i*count+len(among)/2)/len(among)
	}
}

// compareClocks puts those that send by their own clock before the others.
func compareClocks(a, b sender) int { return compareFlags(a.local, b.local) }

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sendingLocally is when messages go out all the time by the clocks of the people they go to, by time zone, and when those do that
// ring.
func sendingLocally() (made, quiet [places.Zones]*intensity) {
	for zone, ahead := range places.HoursAhead {
		made[zone] = rhythmOf(hourWeights, dayWeights, ahead)
		quiet[zone] = rhythmOf(quietWeights, dayWeights, ahead)
	}
	return made, quiet
}

// quietWeights are hourWeights of messages that ring, without the hours in which senders keep quiet.
var quietWeights = [hoursOfDay]int64{8: 14, 18, 20, 18, 16, 14, 13, 13, 15, 18, 20, 17, 12}

// appendZoned adds a wave of a week or, if it goes by the clocks of people, one for each time zone.
func (s *stream) appendZoned(waves []sendWave, wave sendWave, inWeek int64) []sendWave {
	from, inApp := wave.senders[0], s.recipients.using != nil
	if !inApp && !from.local {
		return append(waves, wave)
	}
	for zone, ahead := range places.HoursAhead {
		wave.zoned, wave.zone = true, zone
		switch {
		case inApp:
			wave.intensity = s.rhythm.app[zone]
		case from.burst:
			begins := s.burstBegins(int(from.number), inWeek) - int64(ahead)*bucketsOfHour
			begins = min((begins+weekBuckets)%weekBuckets, weekBuckets-s.rhythm.buckets)
			wave.start, wave.intensity = begins*bucket, s.rhythm.burst
		case s.journey.steps[from.root].channel == channelEmail:
			wave.intensity = s.rhythm.local[zone]
		default:
			wave.intensity = s.rhythm.quiet[zone]
		}
		waves = append(waves, wave)
	}
	return waves
}

const bucketsOfHour = 3600 / bucket
