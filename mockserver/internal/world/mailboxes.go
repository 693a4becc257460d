package world

// mailboxProviders are invented. Their domains are under the name that is reserved for
// examples (RFC 2606), so that provider and domain can be joined.
var mailboxProviders = [...]struct{ name, domain string }{
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

// mailboxOf is the provider of the e-mail address that a row shows.
func (w *World) mailboxOf(r *Row) int {
	random := draw(w.keys.mailbox, uint64(r.Profile))
	if w.state(changeEmailUpdated, r.Profile, r) {
		random = mix(random)
	}
	return mailboxesIn(w.placeOf(r.Profile).Region).of(random)
}

func (w *World) appendMailDomain(dst []byte, r *Row) []byte {
	if provider := w.mailboxOf(r); provider < ownDomain {
		return append(dst, mailboxProviders[provider].domain...)
	}
	_, family := w.namesOf(r.Profile)
	return append(append(dst, family...), ownSuffix...)
}

func (w *World) mailDomainLength(r *Row) int {
	if provider := w.mailboxOf(r); provider < ownDomain {
		return len(mailboxProviders[provider].domain)
	}
	_, family := w.namesOf(r.Profile)
	return len(family) + len(ownSuffix)
}
