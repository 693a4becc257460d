package world

type session struct {
	at           int64
	installation int8 // -1: a page
	key          uint64
}

const (
	meanSessions = 95_000 // of people of the mean activity in a week, in 65536ths
	meanVisits   = 26_000 // and how many pages they visit
	// While the app is used it comes to the front every so often, and each time counts as a start.
	sessionLength = 4 * minute
	sessionTurn   = 10
)

// use adds the sessions of a week to a list, and the visits of pages if those matter.
func (p *Person) use(week int64, visits bool, list []session) []session {
	r := p.weekly(week, 0x80)
	drawn := r.next()
	pages := meanVisits * levels[p.who.level] >> 10
	apps := meanSessions * (1024 + levels[p.who.level]) >> 11 // people differ less in how often they use an app than in how much
	rare := drawn>>40&255 < rareWeeks
	if !rare && p.leaves <= weekStart(week)-day {
		apps = 0
	}
	// Some weeks are busier than others.
	apps = apps * (512 + int64(drawn>>48&1023)) >> 10
	for nth, mean := range [2]int64{apps, pages} {
		if nth > 0 && !visits {
			break
		}
		count := mean >> 16
		if int64(drawn>>(16*nth)&0xffff) < mean&0xffff {
			count++
		}
		for range count {
			drawn := r.next()
			at := weekStart(week) + int64(p.w.rhythms.days.pick(drawn))*day + p.w.rhythms.using.second(drawn<<8)
			made := session{p.who.home.clocks.utc(at), -1, drawn}
			if nth == 0 {
				made.installation = p.deviceAt(made.at, drawn)
				if made.installation < 0 || !rare && made.at >= p.installations[made.installation].leaves {
					continue
				}
			}
			if made.at >= p.created && made.at >= begins && p.isActive(made.at) {
				list = append(list, made)
			}
		}
	}
	return list
}

// deviceAt is the installation that the person uses at an instant, mostly the latest one; -1: there is none yet.
func (p *Person) deviceAt(at int64, drawn uint64) int8 {
	last := -1
	for i := range p.installations {
		if p.installations[i].installed <= at {
			last = i
		}
	}
	if last > 0 && drawn&3 == 0 {
		return int8(below(drawn<<20, int64(last)))
	}
	return int8(last)
}

// lastTurn is when the app came to the front last in a session, up to an instant.
func (s *session) lastTurn(until int64) int64 {
	if s.installation < 0 {
		return s.at
	}
	return s.at + min(until-s.at, sessionLength)/sessionTurn*sessionTurn
}
