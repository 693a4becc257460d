package world

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
	byMessage    bool // a message may bring it about, see settle
	installation int32
	nth          int32  // of a given event, among those of a second
	message      uint64 // the key of the message that did; 0: none
}

// changes are those of a channel, of each installation in order of time.
type changes struct {
	list    []change
	drawn   bool
	consent bool // before all of them
}

// How long things stay as they are, on average. Consents, tokens and opt-ins come back so that their share stays the same.
const (
	addressStays   = 400 * week
	emailGone      = 10 * week
	emailSame      = 400 * week // before people have another address
	phoneGone      = 12 * week
	phoneSame      = 800 * week
	emailConsented = 130 * week
	smsConsented   = 160 * week
	tokenStays     = 130 * week
	optInStays     = 80 * week
	linkStays      = 200 * week
	linkGone       = 3 * week
)

// endsByMessage is the share of withdrawals and lost addresses that come with an event of a message.
var endsByMessage = chanceOf(0.75)

func (p *Person) draw(of channel) {
	if !p.changes[of].drawn {
		p.changes[of].drawn = true
		p.change(of)
	}
}

func (p *Person) change(of channel) {
	switch {
	case of == channelPush:
		for i := range p.installations {
			one := &p.installations[i]
			turns := p.w.odds.devices[one.platform]
			if !p.who.hasCustom {
				turns[0] = turn{}
			}
			p.live(of, i, one.installed, &turns, [3]bool{true, one.token, one.optIn})
		}
	case of == channelEmail && p.who.hasEmail || of == channelSMS && p.who.hasPhone:
		p.changes[of].consent = p.w.odds.consent[of][p.who.level].holds(keyed(p.key, 100+uint64(of))) // who does much agrees more often
		p.live(of, -1, p.created, &p.w.odds.addresses[of], [3]bool{true, true, p.changes[of].consent})
	}
}

// turn is how often a state ends, and how often it comes back, by perTurn; 0: never.
type turn struct {
	kind          changeKind
	ends, returns int64
}

// turns are those of an address or an installation. While the first state is not, no other changes.
type turns [3]turn

const perTurn = 1 << 50 // seconds

// turnOf is that of a state by how long it stays, and how long it is gone, on average; gone 0: it never changes.
func turnOf(kind changeKind, stays, gone int64) turn {
	if gone == 0 {
		return turn{kind: kind} // it is so for all, or for none
	}
	return turn{kind, perTurn / stays, perTurn / gone}
}

// live draws what becomes of an address or an installation, in order of time: how long all stays as it is, and what changes then.
func (p *Person) live(of channel, installation int, from int64, turns *turns, state [3]bool) {
	r := random{keyed(p.key, 200+16*uint64(of)+uint64(installation+1))}
	first, before := len(p.changes[of].list), int64(0)
	for at := max(from, begins); ; before = at {
		var rates [3]int64
		all := int64(0)
		for i := range turns {
			if i > 0 && !state[0] {
				break
			}
			if rates[i] = turns[i].returns; state[i] {
				rates[i] = turns[i].ends
			}
			all += rates[i]
		}
		if all == 0 {
			return
		}
		drawn := r.next()
		if at += exponential.draw(drawn, perTurn/all) + minute; at >= p.until+settled {
			return
		}
		which := 0
		for left := below(mix(drawn), all); left >= rates[which]; which++ {
			left -= rates[which]
		}
		kind := turns[which].kind
		if kind != changeUpdated {
			state[which] = !state[which]
		}
		ends := !state[which] && kind != changeOptIn && kind != changeLinked && (len(p.changes[of].list) == first || at > before+2*settled)
		p.changes[of].list = append(p.changes[of].list, change{
			at: at, kind: kind, state: state[which], installation: int32(installation),
			byMessage: ends && endsByMessage.holds(mix(drawn+1)),
		})
	}
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

func (s *standing) allows() bool { return s.present && s.consent && s.token && s.linked }

// standing is that of a channel at an instant, of an installation for push messages. Several facts of a row ask for the same one.
func (p *Person) standing(of channel, installation int, at int64) standing {
	if last := &p.stood[of]; p.given != nil || last.at != at || last.installation != installation {
		last.at, last.installation, last.standing = at, installation, p.stand(of, installation, at)
	}
	return p.stood[of].standing
}

func (p *Person) stand(of channel, installation int, at int64) (made standing) {
	p.draw(of)
	made.until = maxTime
	made.present, made.token, made.linked = true, true, true
	switch of {
	case channelEmail:
		made.present, made.consent = p.who.hasEmail, p.who.hasEmail && p.changes[of].consent
	case channelSMS:
		made.present, made.consent = p.who.hasPhone, p.who.hasPhone && p.changes[of].consent
	case channelPush:
		one := &p.installations[installation]
		made.consent, made.token, made.linked = one.optIn, one.token, !one.unlinked
	}
	if p.isOwn && of != channelPush {
		made.present, made.consent = p.began[of].present, p.began[of].consent
	}
	for i := range p.changes[of].list {
		next := &p.changes[of].list[i]
		if of == channelPush && int(next.installation) != installation {
			continue
		}
		if next.byMessage && next.at > at {
			p.settleOne(of, next)
		}
		if next.at > at || next.at == at && next.nth > p.upTo {
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

// settle draws the changes of a channel, and moves the ends that messages bring about to the last message in the week before, if there
// is one. Those between two instants are looked at, before or after they are moved. Nothing else changed in the two weeks before one: so
// each is moved by itself, wherever the simulation begins.
func (p *Person) settle(of channel, from, to int64) {
	p.draw(of)
	for i := range p.changes[of].list {
		if end := &p.changes[of].list[i]; end.byMessage && end.at > from && end.at <= to+settled {
			p.settleOne(of, end)
		}
	}
}

func (p *Person) settleOne(of channel, end *change) {
	end.byMessage = false
	if now := p.stand(of, int(end.installation), end.at-1); !now.allows() {
		return
	}
	last, since := sending{}, max(end.at-settled, p.created-1)
	for n := weekOf(end.at - settled - overlap); n <= weekOf(end.at); n++ {
		p.before = p.send(of, n, p.before[:0])
		for _, next := range p.before {
			next.at = p.sentAt(&next)
			if next.at > max(since, last.at) && next.at+takesEffect < end.at &&
				(of != channelPush || p.installations[end.installation].installed <= next.at) {
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
