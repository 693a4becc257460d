package world

// installation is an app on a device of a person.
type installation struct {
	key       uint64
	installed int64
	leaves    int64 // see retention.go
	platform  uint8
	token     bool // when it is installed
	optIn     bool
	// started is when the app was last started, as far as it was simulated.
	started int64

	given    *GivenInstallation // nil: it was drawn
	dated    bool               // a given row says when it was installed
	unlinked bool               // it does not belong to the profile when it is installed
	stated   bool               // a given row or event says whether it belongs to the profile
}

// Platforms, as schemas know them.
const (
	platformIOS = iota
	platformAndroid
	platformWeb
	platforms
)

var platformNames = []string{"ios", "android", "web"}

// What differs by platform: its share of installations, how many take push messages and how often they open them against the
// mean, and how many have an advertising identifier.
var (
	platformShares      = []float64{44, 48, 8}
	platformOptIn       = [platforms]float64{0.84, 1.16, 0.92}
	platformOpens       = [platforms]float64{1.15, 0.92, 0.6}
	platformAdvertising = [platforms]chance{chanceOf(.24), chanceOf(.62), 0}
)

const (
	tokenShare    = 0.88      // of installations that have a push token
	firstInstall  = 3 * day   // after which people have their first installation, on average
	nextInstall   = 180 * day // after which they have a further one
	installedSoon = 112       // of 256 people, who are created with their first installation
)

// install draws the installations of a person.
func (p *Person) install(count int, r *random) {
	p.installations = p.installations[:0]
	at := p.created
	for i := range count {
		drawn, second := r.next(), r.next()
		switch {
		case i > 0:
			at += exponential.draw(drawn, nextInstall) + minute
		case (p.who.hasEmail || p.who.hasPhone) && drawn&255 >= installedSoon:
			at += exponential.draw(drawn, firstInstall)
		}
		made := installation{key: keyed(p.key, uint64(i)+1), installed: at, platform: uint8(p.w.platforms.pick(second))}
		third := r.next()
		made.token, made.optIn = chanceOf(tokenShare).holds(third), p.w.odds.optIn[made.platform][p.who.level].holds(mix(third))
		if made.leaves = leaves(at, mix(third+1)); made.leaves < maxTime {
			made.leaves = p.awakeAt(made.leaves, third)
		}
		if at >= p.until {
			break
		}
		p.installations = append(p.installations, made)
	}
}

func (i *installation) hasAdvertisingID() bool {
	return platformAdvertising[i.platform].holds(mix(i.key + 1))
}
