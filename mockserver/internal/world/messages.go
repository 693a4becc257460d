package world

type sending struct {
	at       int64  // see sentAt
	week     int64  // that plans it
	key      uint64 // by which it is known everywhere
	campaign *campaign
}

// overlap is how far the messages that a week plans lie outside of it.
const overlap = 3 * day

// send adds the messages of a week by a channel to a list, whether or not they can be sent. Each campaign writes to a person once a
// week at most, and at about the same time of the week: so no two of its messages are less than five days apart.
func (p *Person) send(of channel, week int64, list []sending) []sending {
	by := &p.w.senders[of]
	if by.list == nil {
		return list
	}
	r, mean := p.weekly(week, uint64(of)), p.w.weekly[of][(week+weeksOfYear-firstWeek%weeksOfYear)%weeksOfYear]
	count := int(mean >> 16)
	if int64(r.next()&0xffff) < mean&0xffff {
		count++
	}
next:
	for range count {
		key := r.next()
		c := by.list[by.by.pick(key)]
		if c.transactional && !p.who.buys {
			continue
		}
		for _, before := range list {
			if before.campaign == c {
				continue next
			}
		}
		list = append(list, sending{week: week, key: key, campaign: c})
	}
	return list
}

// The seasons come again after so many weeks; the first week is that in which the world begins.
const (
	weeksOfYear = 52
	firstWeek   = (begins - mondays) / week
)

func (p *Person) sentAt(s *sending) int64 {
	w, c, drawn := p.w, s.campaign, mix(s.key)
	at := weekStart(s.week) + c.plan.day*day + c.plan.hour*hour
	if c.plan.atOnce > 0 {
		at += below(drawn, c.plan.atOnce)
	} else {
		phase := keyed(p.key, c.key)
		at = weekStart(s.week) + (int64(w.rhythms.days.pick(phase))+int64(drawn&1))*day
		if c.transactional {
			at += w.rhythms.buying.second(drawn)
		} else {
			at += w.rhythms.writing.second(drawn)
		}
	}
	if c.plan.local || c.plan.atOnce == 0 {
		return p.who.home.clocks.utc(at)
	}
	return w.places[0].clocks.utc(at)
}

// weekly are the random numbers of a week of the person, for a purpose.
func (p *Person) weekly(week int64, purpose uint64) random {
	return random{p.key ^ (uint64(week)<<8|purpose)*0xd1342543de82ef95}
}

type happening struct {
	at      int64
	step    int
	nth     uint8 // so many times before
	machine bool  // no person did it
	final   bool  // by the last message to an address or a device
}
