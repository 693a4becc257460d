package world

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// A mailbox is a provider of mailboxes and its domain.
type mailbox struct {
	name, domain string
	silent       bool // it tells no sender of complaints, as the largest one does in reality
}

// mailboxProviders are invented. Their domains are under the name that is reserved for
// examples (RFC 2606), so that provider and domain can be joined.
var mailboxProviders = [...]mailbox{
	{"Postbox", "postbox.example", true}, {"Lumen Mail", "lumenmail.example", false}, {"Northgate", "northgate.example", false},
	{"Cablelink", "cablelink.example", false}, {"Harbour Net", "harbournet.example", false}, {"Courrier Plus", "courrierplus.example", false},
	{"Funkpost", "funkpost.example", false}, {"Heimatmail", "heimatmail.example", false}, {"Brevbox", "brevbox.example", false},
}

// otherProvider is that of people with a domain of their own, one for each family name.
const (
	otherProvider = "Other"
	ownDomain     = len(mailboxProviders)
	ownSuffix     = ".example"
)

// A mailboxMix is how many of 64 people are with each provider; the others have a
// domain of their own.
type mailboxMix [len(mailboxProviders)]uint8

// The mixes of regions: three large providers, some small ones, and one in
// thirteen with a domain of their own.
// See docs/explanation/world.md#who-has-the-mailboxes
var (
	frenchMailboxes   = mailboxMix{17, 8, 16, 4, 2, 12}
	germanMailboxes   = mailboxMix{10, 6, 8, 5, 4, 0, 14, 12}
	swedishMailboxes  = mailboxMix{30, 4, 14, 2, 0, 0, 0, 0, 9}
	americanMailboxes = mailboxMix{32, 14, 8, 3, 2}
	otherMailboxes    = mailboxMix{28, 14, 10, 3, 4}
)

func mailboxesIn(region string) *mailboxMix {
	switch region {
	case "FR":
		return &frenchMailboxes
	case "DE":
		return &germanMailboxes
	case "SE":
		return &swedishMailboxes
	case "US", "CA":
		return &americanMailboxes
	}
	return &otherMailboxes
}

// placeMailboxes are, by place, the providers of 64 people.
var placeMailboxes = func() (made [len(places.All)]*[mixed]uint8) {
	known := map[*mailboxMix]*[mixed]uint8{}
	for i := range places.All {
		mix := mailboxesIn(places.All[i].Region)
		if known[mix] == nil {
			known[mix] = mix.spread()
		}
		made[i] = known[mix]
	}
	return made
}()

// mixed is of how many people a mix says what they have, and mixedBits how many bits tell them apart.
const (
	mixedBits = 6
	mixed     = 1 << mixedBits
)

// spread are the providers of all of them.
func (m *mailboxMix) spread() *[mixed]uint8 {
	made, at := &[mixed]uint8{}, 0
	for provider, count := range m {
		for range count {
			made[at] = uint8(provider)
			at++
		}
	}
	for ; at < mixed; at++ {
		made[at] = uint8(ownDomain)
	}
	return made
}

// mailboxOf is the provider of the e-mail address that a row shows; nil: a domain of one's own.
// The row caches it.
func (w *World) mailboxOf(r *Row) *mailbox {
	if r.cache.mailbox == 0 {
		r.cache.mailbox = w.findMailbox(r) + 1
	}
	if provider := int(r.cache.mailbox) - 1; provider < ownDomain {
		return &mailboxProviders[provider]
	}
	return nil
}

// findMailbox is which of the providers it is.
func (w *World) findMailbox(r *Row) uint8 {
	random := draw(w.keys.mailbox, uint64(r.Profile))
	if w.state(changeEmailUpdated, r.Profile, r) {
		random = mix(random)
	}
	place, _, _ := w.drawn.homes.of(w.lineOf(r.Profile))
	return placeMailboxes[place][random>>(64-mixedBits)]
}

// hearsNothing reports whether nobody is told that somebody complained at an instant.
func (w *World) hearsNothing(profile, at int64) bool {
	provider := w.mailboxOf(&Row{Profile: profile, Installation: -1, Time: at, changed: allChanged})
	return provider != nil && provider.silent
}

// silentShare is the share of people whose provider tells no sender of complaints.
func (w *World) silentShare() float64 {
	silent, all := int64(0), int64(0)
	for i := range places.All {
		lines, mix := w.drawn.homes.linesIn(i), mailboxesIn(places.All[i].Region)
		for provider, count := range mix {
			if mailboxProviders[provider].silent {
				silent += lines * int64(count)
			}
		}
		all += lines * 64
	}
	return float64(silent) / float64(max(all, 1))
}

func (w *World) appendMailDomain(dst []byte, r *Row) []byte {
	if provider := w.mailboxOf(r); provider != nil {
		return append(dst, provider.domain...)
	}
	_, family := w.namesOf(r.Profile)
	return append(append(dst, family...), ownSuffix...)
}

func (w *World) mailDomainLength(r *Row) int {
	if provider := w.mailboxOf(r); provider != nil {
		return len(provider.domain)
	}
	_, family := w.namesOf(r.Profile)
	return len(family) + len(ownSuffix)
}
