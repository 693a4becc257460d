package simulation

import (
	"cmp"
	"slices"
)

// channel is what a message goes by.
type channel uint8

const (
	channelEmail channel = iota
	channelSMS
	channelPush
	channels
)

var channelNames = [channels]string{"email", "sms", "push"}

// changeKind is what changes.
type changeKind uint8

const (
	changePresent changeKind = iota // an address is there
	changeUpdated                   // it became another one
	changeConsent                   // marketing is welcome
	changeToken
	changeOptIn
	changeLinked // the installation belongs to the profile
)

// change is one of the addresses, consents and installations of a person becoming another.
type change struct {
	at           int64
	kind         changeKind
	state        bool
	installation int8
	byMessage    bool   // a message may bring it about, see settle
	message      uint64 // the key of the message that did; 0: none
}

// changes are those of a channel, in order of time.
type changes struct {
	list    []change
	drawn   bool
	consent bool // before all of them
}

// How long things stay as they are, on average. Consents, tokens and opt-ins come back so that their share stays the same.
const (
	emailStays     = 400 * week
	emailGone      = 10 * week
	emailSame      = 400 * week // before people have another address
	phoneStays     = 400 * week
	phoneGone      = 12 * week
	emailConsented = 130 * week
	smsConsented   = 160 * week
	tokenStays     = 130 * week
	optInStays     = 80 * week
	linkStays      = 200 * week
	linkGone       = 3 * week
)

// endsByMessage is the share of withdrawals and lost addresses that come with an event of a message.
var endsByMessage = chanceOf(0.75)

// draw draws the changes of a channel when they are asked for first.
func (p *Person) draw(of channel) {
	if !p.changes[of].drawn {
		p.changes[of].drawn = true
		p.change(of)
	}
}

// change draws all changes of a channel.
func (p *Person) change(of channel) {
	if of != channelPush {
		p.changes[of].consent = p.consents(of)
	}
	switch {
	case of == channelEmail && p.who.hasEmail:
		p.alternate(of, changePresent, -1, p.created, true, emailStays, emailGone)
		p.renew(of, emailSame)
		p.alternate(of, changeConsent, -1, p.created, p.changes[of].consent, emailConsented, p.w.odds.returns[of])
	case of == channelSMS && p.who.hasPhone:
		p.alternate(of, changePresent, -1, p.created, true, phoneStays, phoneGone)
		p.renew(of, 2*emailSame)
		p.alternate(of, changeConsent, -1, p.created, p.changes[of].consent, smsConsented, p.w.odds.returns[of])
	case of == channelPush:
		for i := range p.installations {
			one := &p.installations[i]
			p.alternate(of, changeToken, int8(i), one.installed, one.token, tokenStays, p.w.odds.tokenReturns)
			p.alternate(of, changeOptIn, int8(i), one.installed, one.optIn, optInStays, p.w.odds.optInReturns[one.platform])
			if p.who.hasCustom {
				p.alternate(of, changeLinked, int8(i), one.installed, true, linkStays, linkGone)
			}
		}
	}
	if len(p.changes[of].list) > 0 {
		p.tidy(of)
	}
}

// consents is whether a person consents when they are created. Who does much agrees more often.
func (p *Person) consents(of channel) bool {
	return p.w.odds.consent[of][p.who.level].holds(keyed(p.key, 100+uint64(of)))
}

// alternate draws a state that begins somehow and changes after some time; gone is how long, on average, until it comes back;
// 0: it never changes.
func (p *Person) alternate(of channel, kind changeKind, installation int8, from int64, state bool, stays, gone int64) {
	if gone == 0 {
		return // it is so for all, or for none
	}
	r := random{keyed(p.key, 200+16*uint64(kind)+uint64(installation+1))}
	for at := max(from, begins); ; {
		drawn := r.next()
		mean := gone
		if state {
			mean = stays
		}
		if at += exponential.draw(drawn, mean) + minute; at >= p.until+settled {
			return
		}
		state = !state
		p.changes[of].list = append(p.changes[of].list, change{at: at, kind: kind, state: state, installation: installation,
			byMessage: !state && kind != changeOptIn && kind != changeLinked && endsByMessage.holds(mix(drawn))})
	}
}

// renew draws when an address becomes another one.
func (p *Person) renew(of channel, mean int64) {
	r := random{keyed(p.key, 300+uint64(of))}
	for at := max(p.created, begins); ; {
		if at += exponential.draw(r.next(), mean) + minute; at >= p.until+settled {
			return
		}
		p.changes[of].list = append(p.changes[of].list, change{at: at, kind: changeUpdated, state: true, installation: -1})
	}
}

// tidy puts the changes of a channel in order, no two in one second, and leaves out those that cannot be: a consent without an
// address, a device that tells of itself while it is not linked.
func (p *Person) tidy(of channel) {
	list := p.changes[of].list
	slices.SortFunc(list, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.installation, b.installation), cmp.Compare(a.kind, b.kind))
	})
	kept, last := list[:0], int64(0)
	for _, next := range list {
		p.changes[of].list = kept
		now := p.standing(of, int(next.installation), maxTime)
		switch next.kind {
		case changeUpdated:
			if !now.present {
				continue
			}
		case changeConsent:
			if !now.present || now.consent == next.state {
				continue
			}
		case changeToken:
			if !now.linked || now.token == next.state {
				continue
			}
		case changeOptIn:
			if !now.linked || now.consent == next.state {
				continue
			}
		}
		next.at = max(next.at, last+1)
		last = next.at
		for i := len(kept) - 1; i >= 0 && kept[i].at >= next.at-2*settled; i-- {
			next.byMessage = next.byMessage && kept[i].installation != next.installation
		}
		kept = append(kept, next)
	}
	p.changes[of].list = kept
}

const maxTime = 1<<62 - 1

// standing is how a person can be written to at an instant.
type standing struct {
	present bool // an address is there
	consent bool // marketing is welcome; of an installation: opt-in
	token   bool
	linked  bool
	version int   // which address it is
	since   int64 // when the last change of the channel was
	until   int64 // when that ends, or the address becomes another one; maxTime: never
	ending  int   // the change by which it does
}

// allows reports whether messages reach the person.
func (s *standing) allows() bool { return s.present && s.consent && s.token && s.linked }

// standing is that of a channel at an instant, of an installation for push messages.
func (p *Person) standing(of channel, installation int, at int64) (made standing) {
	p.draw(of)
	made.until = maxTime
	made.present, made.token, made.linked = true, true, true
	switch of {
	case channelEmail:
		made.present, made.consent = p.who.hasEmail, p.who.hasEmail && p.changes[of].consent
	case channelSMS:
		made.present, made.consent = p.who.hasPhone, p.who.hasPhone && p.changes[of].consent
	case channelPush:
		made.consent, made.token = p.installations[installation].optIn, p.installations[installation].token
	}
	for i := range p.changes[of].list {
		next := &p.changes[of].list[i]
		if of == channelPush && int(next.installation) != installation {
			continue
		}
		if next.byMessage && next.at > at && at != maxTime {
			p.settleOne(of, next)
		}
		if next.at > at {
			if !next.state || next.kind == changeUpdated {
				made.until, made.ending = next.at, i
				return made
			}
			continue
		}
		made.since = next.at
		switch next.kind {
		case changePresent:
			if made.present = next.state; next.state {
				made.version++ // one that was removed does not come back
			}
		case changeUpdated:
			made.version++
		case changeConsent, changeOptIn:
			made.consent = next.state
		case changeToken:
			made.token = next.state
		case changeLinked:
			made.linked = next.state
		}
	}
	return made
}

// settled is how long before it was drawn a change may be at most, since a message brought it about.
const settled = week

// settle moves the ends that messages bring about to the last message before, if there is one in the week before. Those that fall
// between two instants are looked at, before or after they are moved. Nothing else changes in the week before, see tidy: so each end
// is moved by itself, wherever the simulation begins.
func (p *Person) settle(of channel, from, to int64) {
	for i := range p.changes[of].list {
		if end := &p.changes[of].list[i]; end.byMessage && end.at > from && end.at <= to+settled {
			p.settleOne(of, end)
		}
	}
}

func (p *Person) settleOne(of channel, end *change) {
	end.byMessage = false
	if now := p.standing(of, int(end.installation), end.at-1); !now.allows() {
		return
	}
	last := sending{}
	for n := weekOf(end.at - settled - overlap); n <= weekOf(end.at); n++ {
		p.before = p.send(of, n, p.before[:0])
		for _, next := range p.before {
			next.at = p.sentAt(&next)
			if next.at > max(end.at-settled, last.at) && next.at+takesEffect < end.at && (of != channelPush || p.goesTo(&next, int(end.installation))) {
				last = next
			}
		}
	}
	if last.at == 0 {
		return
	}
	end.message = last.key
	switch end.kind {
	case changeConsent:
		end.at = min(end.at, last.at+takesEffect+patient.draw(mix(last.key), 3*hour))
	default:
		end.at = last.at + 20 + below(mix(last.key), takesEffect-20)
	}
}

// takesEffect is how long after a message its first effects are known.
const takesEffect = 3 * minute

// goesTo reports whether a push message goes to an installation, if that may be written to.
func (p *Person) goesTo(s *sending, installation int) bool {
	return p.installations[installation].installed <= s.at
}
