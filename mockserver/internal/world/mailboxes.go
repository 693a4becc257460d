package world

import "strings"

// A mailbox is a provider of mailboxes and its domain.
type mailbox struct{ name, domain string }

// mailboxProviders are invented. Their domains are under the name that is reserved for
// examples (RFC 2606), so that provider and domain can be joined.
var mailboxProviders = [...]mailbox{
	{"Postbox", "postbox.example"}, {"Lumen Mail", "lumenmail.example"}, {"Northgate", "northgate.example"},
	{"Cablelink", "cablelink.example"}, {"Harbour Net", "harbournet.example"}, {"Courrier Plus", "courrierplus.example"},
	{"Funkpost", "funkpost.example"}, {"Heimatmail", "heimatmail.example"}, {"Brevbox", "brevbox.example"},
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

// of is the provider of a random number.
func (m *mailboxMix) of(random uint64) int {
	rank := uint8(random >> 58)
	for i, count := range m {
		if rank < count {
			return i
		}
		rank -= count
	}
	return ownDomain
}

// mailboxes are providers with weights, the same for all regions.
type mailboxes struct {
	choices
	providers []*mailbox // nil: a domain of one's own
}

// mailboxesOf are those of weights; nil: there are none. A name that is not one of the usual providers has a domain that is made
// of it, under the name that is reserved for examples.
func mailboxesOf(weights map[string]int) *mailboxes {
	of := choicesOf(weights)
	if of == nil {
		return nil
	}
	made := &mailboxes{choices: *of}
	for _, name := range of.texts {
		provider := &mailbox{name, domainOf(name) + ownSuffix}
		for i := range mailboxProviders {
			if mailboxProviders[i].name == name {
				provider = &mailboxProviders[i]
			}
		}
		if name == otherProvider {
			provider = nil
		}
		made.providers = append(made.providers, provider)
	}
	return made
}

// domainOf is a label of a domain with the letters and digits of a name.
func domainOf(name string) string {
	label := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if label == "" {
		return "mail"
	}
	return label[:min(len(label), mostOfLabel)]
}

// mostOfLabel is how long a label of a domain is at most (RFC 1035).
const mostOfLabel = 63

// mailboxOf is the provider of the e-mail address that a row shows; nil: a domain of one's own.
func (w *World) mailboxOf(r *Row) *mailbox {
	random := draw(w.keys.mailbox, uint64(r.Profile))
	if w.state(changeEmailUpdated, r.Profile, r) {
		random = mix(random)
	}
	if own := w.drawn.mailboxes; own != nil {
		return own.providers[own.at(random)]
	}
	if provider := mailboxesIn(w.placeOf(r.Profile).Region).of(random); provider < ownDomain {
		return &mailboxProviders[provider]
	}
	return nil
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
