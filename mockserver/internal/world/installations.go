package world

type installation struct {
	key       uint64
	installed int64
	leaves    int64 // when it was used last, but for rare weeks; maxTime: never
	platform  uint8
	token     bool // when it is installed
	optIn     bool
	// started is when the app was last started, and linked whether it belongs to the profile then, as far as that was simulated.
	started int64
	linked  bool

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

func (p *Person) install(count int, r *random) {
	p.installations, p.leaves = p.installations[:0], 0
	at := p.created
	for i := range count {
		drawn, second := r.next(), r.next()
		switch {
		case i > 0:
			at += exponential.draw(drawn, nextInstall) + minute
		case (p.who.hasEmail || p.who.hasPhone) && drawn&255 >= installedSoon:
			at += exponential.draw(drawn, firstInstall)
		}
		key := keyed(p.w.keys.devices, uint64(p.number)*mostDevices+uint64(i))
		made := installation{key: key, installed: at, platform: uint8(p.w.platforms.pick(second))}
		third := r.next()
		made.token, made.optIn = chanceOf(tokenShare).holds(third), p.w.odds.optIn[made.platform][p.who.level].holds(mix(third))
		if made.leaves = leaves(at, mix(third+1)); made.leaves < maxTime {
			made.leaves = p.awakeAt(made.leaves, third)
		}
		if at >= p.until {
			break
		}
		p.installations, p.leaves = append(p.installations, made), max(p.leaves, made.leaves)
	}
}

func (i *installation) hasAdvertisingID() bool {
	return platformAdvertising[i.platform].holds(mix(i.key + 1))
}

// Most people leave an app soon, and few keep it for years: the share of installations that are in use after t days is about
// (1+t)^-0.35. It is the power law of published curves of retention.

// lasting are the hours after which each eighth of the installations has stopped; the last eighth never does.
var lasting = [8]int64{0, 11, 30, 68, 156, 340, 1000, 7000}

// After its last use an installation is used in rare weeks only: in so many of 256.
const rareWeeks = 9

// leaves is when an installation is used last, but for rare weeks; maxTime: never.
func leaves(installed int64, drawn uint64) int64 {
	eighth := drawn >> 61
	if eighth == 7 {
		return maxTime
	}
	from := lasting[eighth] * hour
	return installed + from + below(drawn<<3, lasting[eighth+1]*hour-from)
}
