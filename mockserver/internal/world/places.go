package world

// place is a region with what agrees with it: language, time zone and a range
// of telephone numbers that its regulator keeps for fiction and tests, so that
// no number of the world belongs to anyone.
type place struct {
	region, language, timezone string
	phonePrefix                string
	phoneFirst, phoneCount     int64 // the numbers after the prefix
	phoneDigits                int   // how many digits they have
}

// places are drawn with equal weight; a region with several rows is larger.
var places = [...]place{
	{"US", "en", "America/New_York", "+121255501", 0, 100, 2},
	{"US", "en", "America/Chicago", "+131255501", 0, 100, 2},
	{"US", "es", "America/Los_Angeles", "+121355501", 0, 100, 2},
	{"GB", "en", "Europe/London", "+447700900", 0, 1000, 3},
	{"FR", "fr", "Europe/Paris", "+3363998", 0, 10_000, 4},
	{"FR", "fr", "Europe/Paris", "+3319900", 0, 10_000, 4},
	{"DE", "de", "Europe/Berlin", "+4917139200", 0, 100, 2},
	{"DE", "de", "Europe/Berlin", "+49176040690", 0, 100, 2},
	{"SE", "sv", "Europe/Stockholm", "+46701740", 605, 95, 3},
	{"IE", "en", "Europe/Dublin", "+3532091", 0, 100_000, 5},
}

var givenNames = [...]string{
	"ada", "alma", "amir", "ben", "bianca", "carl", "chloe", "david", "elena", "emil", "farah", "felix",
	"grace", "hugo", "ines", "ivan", "jade", "jonas", "karim", "laura", "leo", "lina", "louis", "maria",
	"mats", "mina", "nina", "noah", "olga", "omar", "paul", "rosa", "sami", "sara", "theo", "vera",
}

var familyNames = [...]string{
	"adler", "andersson", "baker", "bernard", "carter", "dubois", "evans", "fischer", "garcia", "hughes",
	"jansson", "keller", "lambert", "lindberg", "martin", "meyer", "moreau", "murphy", "nilsson", "obrien",
	"parker", "petit", "roux", "schmidt", "taylor", "walsh", "weber", "young",
}

// mailDomains are reserved for documentation (RFC 2606), each with the name of
// the mailbox provider that an export shows for it.
var mailDomains = [...]struct{ domain, provider string }{
	{"example.com", "Example Mail"}, {"example.net", "Example Net"}, {"example.org", "Example Org"},
}
