package world

import (
	"encoding/binary"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// Fact says how a value of a row is found: exactly one of the functions without "Absent" is set.
type Fact struct {
	Text   func(dst []byte, row *Row) []byte
	Flag   func(row *Row) bool
	Number func(row *Row) int64
	Time   func(row *Row) int64
	Choice func(row *Row) int // an index in Names
	Names  []string
	// Each adds a row for every item of a list to items.
	Each func(row *Row, items []Row) []Row
	// Absent says that there is no value; nil: there always is.
	Absent func(row *Row) bool
	// Awkward says that the text may hold any characters; else it has only such as stand in CSV and JSON as they are.
	Awkward bool
}

func text(of func(*Row) string) Fact {
	return Fact{Text: func(dst []byte, r *Row) []byte { return append(dst, of(r)...) }}
}

// picked is one of some texts, drawn for a message, and another one each time that its event comes again.
func picked(salt uint64, texts ...string) Fact {
	return text(func(r *Row) string {
		return texts[(keyed(r.Message, salt)+uint64(r.event.nth))%uint64(len(texts))]
	})
}

// appendOpaque adds an identifier of 32 characters; no two keys have the same.
func appendOpaque(dst []byte, key uint64) []byte { return appendHex(appendHex(dst, key), mix(key)) }

// keyOfUUID returns the key whose UUID begins and ends with some bits.
func keyOfUUID(high, low uint64) uint64 { return high>>16<<16 | high&0xfff<<4 | low>>58&15 }

// appendUUID adds a UUID of version 4: the bits of the key, and random ones behind them.
func appendUUID(dst []byte, key uint64) []byte {
	high, low := key>>16<<16|4<<12|key>>4&0xfff, 2<<62|key&15<<58|mix(key+golden)>>6
	var text [36]byte
	middle, behind := hexDigits(uint32(high)), hexDigits(uint32(low>>32))
	binary.BigEndian.PutUint64(text[:], hexDigits(uint32(high>>32)))
	binary.BigEndian.PutUint32(text[9:], uint32(middle>>32))
	binary.BigEndian.PutUint32(text[14:], uint32(middle))
	binary.BigEndian.PutUint32(text[19:], uint32(behind>>32))
	binary.BigEndian.PutUint32(text[24:], uint32(behind))
	binary.BigEndian.PutUint64(text[28:], hexDigits(uint32(low)))
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return append(dst, text[:]...)
}

func noInstallation(r *Row) bool { return r.Installation < 0 }

// The labels of installations that follow from their dates.
var lifeSegments = []string{"new", "active", "occasional", "inactive"}

const (
	newFor        = 14 * day
	activeFor     = 7 * day
	occasionalFor = 60 * day
)

func lifeSegment(r *Row) int {
	of := r.installation()
	switch {
	case r.Time-of.installed < newFor:
		return 0
	case r.Time-of.started < activeFor:
		return 1
	case r.Time-of.started < occasionalFor:
		return 2
	}
	return 3
}

func (v *View) installationFact(name string) (fact Fact, known bool) {
	fact.Absent = noInstallation
	switch name {
	case vocabulary.InstallationID:
		fact.Text = func(dst []byte, r *Row) []byte { return appendUUID(dst, r.installation().key) }
	case vocabulary.AdvertisingID:
		fact.Absent = func(r *Row) bool { return r.Installation < 0 || !r.installation().hasAdvertisingID() }
		fact.Text = func(dst []byte, r *Row) []byte { return appendUUID(dst, mix(r.installation().key+2)) }
	case vocabulary.Platform:
		fact.Names, fact.Choice = platformNames, func(r *Row) int { return int(r.installation().platform) }
	case vocabulary.InstallDate:
		fact.Time = func(r *Row) int64 { return r.installation().installed }
	case vocabulary.LastStartDate:
		v.latest.starts = true
		fact.Time = func(r *Row) int64 { return r.installation().started }
	case vocabulary.SmartSegment:
		fact.Names, fact.Choice = lifeSegments, lifeSegment
		v.latest.starts = true
		if v.w.labels != nil {
			fact.Names, fact.Choice = v.w.labels, func(r *Row) int { return v.w.labelled.pick(mix(r.installation().key + 3)) }
		}
	case vocabulary.IsOptIn:
		fact.Flag = func(r *Row) bool { return r.device().consent }
	case vocabulary.IsReachable:
		fact.Flag = func(r *Row) bool { return r.device().token }
	case vocabulary.HasCustomID:
		fact.Flag = func(r *Row) bool {
			return (r.Person.who.hasCustom || r.installation().given != nil) && r.device().linked
		}
	default:
		return fact, false
	}
	return fact, true
}

func (v *View) profileFact(name string) (fact Fact, known bool) {
	has := func(of channel) func(*Row) bool {
		return func(r *Row) bool { return r.Person.standing(of, -1, r.Time).present }
	}
	no := func(of channel) func(*Row) bool {
		return func(r *Row) bool { return !r.Person.standing(of, -1, r.Time).present }
	}
	consent := func(of channel) (Fact, bool) {
		return Fact{Names: []string{"unsubscribed", "subscribed"}, Absent: no(of), Choice: func(r *Row) int {
			if r.Person.standing(of, -1, r.Time).consent {
				return 1
			}
			return 0
		}}, true
	}
	home := func(of func(*Person) string) Fact { return text(func(r *Row) string { return of(r.Person) }) }
	switch name {
	case vocabulary.ProfileID:
		return Fact{Text: func(dst []byte, r *Row) []byte { return appendOpaque(append(dst, "profile_"...), r.Person.key) }}, true
	case vocabulary.CustomID:
		return Fact{
			Absent: func(r *Row) bool { return !r.Person.who.hasCustom || r.linked && !r.device().linked },
			Text:   func(dst []byte, r *Row) []byte { return v.w.appendCustomID(dst, r.Person.number) },
		}, true
	case vocabulary.BirthDate:
		return Fact{Absent: tellsNoAge, Text: func(dst []byte, r *Row) []byte { return r.Person.born().AppendFormat(dst, "2006-01-02") }}, true
	case vocabulary.Age:
		return Fact{Absent: tellsNoAge, Number: func(r *Row) int64 { return ageAt(r.Person.born(), r.Time) }}, true
	case vocabulary.EmailAddress:
		return Fact{Absent: no(channelEmail), Text: func(dst []byte, r *Row) []byte {
			return r.Person.appendEmail(dst, r.Person.standing(channelEmail, -1, r.Time).version)
		}}, true
	case vocabulary.MailboxProvider:
		fact = text(func(r *Row) string {
			return r.Person.mailbox(r.Person.standing(channelEmail, -1, r.Time).version).name
		})
		fact.Absent = no(channelEmail)
		return fact, true
	case vocabulary.PhoneNumber:
		return Fact{Absent: no(channelSMS), Text: func(dst []byte, r *Row) []byte {
			p := r.Person
			version := p.standing(channelSMS, -1, r.Time).version
			if told := p.address(channelSMS, version); told != "" {
				return append(dst, told...)
			}
			line := (p.who.line + int64(version)*p.who.home.lines/2) % p.who.home.lines
			return p.who.home.appendNumber(dst, line)
		}}, true
	case vocabulary.PhoneCountry:
		fact = home(func(p *Person) string { return p.who.home.region })
		fact.Absent = no(channelSMS)
		return fact, true
	case vocabulary.Language:
		return home(func(p *Person) string { return p.who.language }), true
	case vocabulary.Region:
		return home(func(p *Person) string { return p.who.home.region }), true
	case vocabulary.Timezone:
		return home(func(p *Person) string { return p.who.home.clocks.name }), true
	case vocabulary.EmailMarketing:
		return consent(channelEmail)
	case vocabulary.SMSMarketing:
		return consent(channelSMS)
	case vocabulary.HasEmailAddress:
		return Fact{Flag: has(channelEmail)}, true
	case vocabulary.HasPhoneNumber:
		return Fact{Flag: has(channelSMS)}, true
	case vocabulary.ProfileInstallations:
		return Fact{Each: each, Absent: func(r *Row) bool { return !r.Person.eachLinked(r.Time, func(int) bool { return true }) }}, true
	}
	return fact, false
}

// each adds a row for every installation that belongs to the profile.
func each(r *Row, items []Row) []Row {
	item := *r
	r.Person.eachLinked(r.Time, func(nth int) bool {
		item.Installation = nth
		items = append(items, item)
		return false
	})
	return items
}

// eachLinked looks at the installations that belong to the profile at an instant, until one is enough.
func (p *Person) eachLinked(at int64, enough func(nth int) bool) bool {
	for i := range p.installations {
		one := &p.installations[i]
		if one.installed > at || one.given != nil && one.given.Elsewhere {
			continue
		}
		if p.belongs(i, at) && enough(i) {
			return true
		}
	}
	return false
}

// belongs reports whether an installation belongs to the profile at an instant. A given one does unless it is said to be unlinked.
func (p *Person) belongs(nth int, at int64) bool {
	one := &p.installations[nth]
	return one.given != nil && !(one.stated && p.who.hasCustom) || p.standing(channelPush, nth, at).linked
}

// appendEmail adds an address of the person, of those that they have one after the other.
func (p *Person) appendEmail(dst []byte, version int) []byte {
	if told := p.address(channelEmail, version); told != "" {
		return append(dst, told...)
	}
	first, second := p.who.names.Given[p.who.given], p.who.names.Family[p.who.family]
	if version&1 != 0 {
		first, second = second, first
	}
	dst = append(append(append(append(dst, first...), '.'), second...), '.')
	dst = strconv.AppendInt(dst, p.number, 36)
	if version > 1 {
		dst = strconv.AppendInt(append(dst, '.'), int64(version), 10)
	}
	dst = append(dst, '@')
	if of := p.mailbox(version); of.domain != "" {
		return append(dst, of.domain...)
	}
	return append(append(dst, p.who.names.Family[p.who.family]...), ".example"...)
}

func (v *View) dateFact(name string) (fact Fact, known bool) {
	for i, of := range latestNames {
		if name == of {
			v.latest.wanted = true
			at := func(r *Row) int64 { return r.Person.memory.latest[i] }
			return Fact{Time: at, Absent: func(r *Row) bool { return at(r) == 0 }}, true
		}
	}
	switch name {
	case vocabulary.CreationDate:
		return Fact{Time: func(r *Row) int64 { return r.Person.created }}, true
	case vocabulary.LastVisitDate:
		v.latest.visits = true
		return Fact{Time: func(r *Row) int64 { return r.Person.memory.visited }}, true
	case vocabulary.LastActivity:
		v.latest.wanted, v.latest.visits = true, true
		return Fact{Time: func(r *Row) int64 {
			of := &r.Person.memory
			if r.Person.isOwn {
				return r.Person.active
			}
			return max(r.Person.active, of.visited, of.latest[0], of.latest[1], of.latest[2], of.latest[3])
		}}, true
	}
	return fact, false
}

// address is that of a version, which a given row or event tells; empty: none does.
func (p *Person) address(of channel, version int) string {
	if !p.isOwn || version >= len(p.addresses[of]) {
		return ""
	}
	if told := p.addresses[of][version]; told != "" {
		return told
	}
	return p.addresses[of][0]
}
