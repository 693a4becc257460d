package world

// Profiles stand in groups of eight that own ten installations together, so
// that the installations of a profile, and the profile of an installation, are
// found by arithmetic. Who in the group owns how many is shuffled per group.
const (
	groupProfiles      = 8
	groupInstallations = 10
)

var groupShares = [groupProfiles]uint8{0, 1, 1, 1, 1, 1, 2, 3}

// sharesOf are the numbers of installations of the eight profiles of a group.
func (w *World) sharesOf(group int64) [groupProfiles]uint8 {
	shares := groupShares
	random := draw(w.keys.pattern, uint64(group))
	for i := groupProfiles - 1; i > 0; i-- {
		j := int(random % uint64(i+1))
		random /= uint64(i + 1)
		shares[i], shares[j] = shares[j], shares[i]
	}
	return shares
}

// installationsBefore is how many installations of the group of a profile
// belong to the profiles before it in that group.
func (w *World) installationsBefore(profile int64) int64 {
	place := profile % groupProfiles
	if place == 0 {
		return 0
	}
	shares, sum := w.sharesOf(profile/groupProfiles), int64(0)
	for _, share := range shares[:place] {
		sum += int64(share)
	}
	return sum
}

// installationsOf is the first installation of a profile and how many it has.
func (w *World) installationsOf(profile int64) (first, count int64) {
	group, place := profile/groupProfiles, profile%groupProfiles
	shares := w.sharesOf(group)
	first = group * groupInstallations
	for _, share := range shares[:place] {
		first += int64(share)
	}
	return first, int64(shares[place])
}

// ownerOf is the profile of an installation.
func (w *World) ownerOf(installation int64) int64 {
	group, rest := installation/groupInstallations, installation%groupInstallations
	for place, share := range w.sharesOf(group) {
		if rest -= int64(share); rest < 0 {
			return group*groupProfiles + int64(place)
		}
	}
	return group*groupProfiles + groupProfiles - 1
}

const (
	platformIOS = iota
	platformAndroid
	platformWeb
)

var platformNames = []string{"ios", "android", "web"}

func (w *World) platformOf(installation int64) int {
	switch pick := below(draw(w.keys.platform, uint64(installation)), 100); {
	case pick < 44:
		return platformIOS
	case pick < 92:
		return platformAndroid
	}
	return platformWeb
}

// installedAt is when an installation was made: after its profile was created,
// most of them before the world begins, the others in its first six years.
func (w *World) installedAt(installation int64) int64 {
	random := draw(w.keys.installed, uint64(installation))
	if random%10 < 3 {
		return birth + below(random, 6*365*day)
	}
	created := w.createdAt(w.ownerOf(installation))
	return created + below(random, birth-created)
}

func (w *World) isInstalled(installation, at int64) bool { return w.installedAt(installation) <= at }

// installed calls visit for the installations that a profile has at a moment.
func (w *World) installed(profile, at int64, visit func(installation int64)) {
	first, count := w.installationsOf(profile)
	for installation := first; installation < first+count; installation++ {
		if w.isInstalled(installation, at) {
			visit(installation)
		}
	}
}

// startedAt is the latest start of the app on an installation up to now.
func (w *World) startedAt(installation, now int64) int64 {
	return max(lastOccurrence(draw(w.keys.start, uint64(installation)), now), w.installedAt(installation))
}

// hasAdvertisingID says whether the person allowed an advertising identifier;
// browsers have none.
func (w *World) hasAdvertisingID(installation int64) bool {
	return w.platformOf(installation) != platformWeb && draw(w.keys.advertising, uint64(installation))%10 < 6
}

var smartSegments = []string{"new", "active", "occasional", "inactive", "migrated"}

// smartSegmentOf is an index in smartSegments: it follows from how long ago the
// app was installed and started.
func (w *World) smartSegmentOf(installation, now int64) int {
	idle, age := now-w.startedAt(installation, now), now-w.installedAt(installation)
	switch {
	case draw(w.keys.segment, uint64(installation))%50 == 0:
		return 4
	case age < 14*day:
		return 0
	case idle < 7*day:
		return 1
	case idle < 60*day:
		return 2
	}
	return 3
}

// lastOccurrence is the latest of a row of moments up to now that come, by the
// key, every two days to every eight months, each at an instant of its own.
func lastOccurrence(key uint64, now int64) int64 {
	every := [4]int64{2, 9, 40, 240}[key%4] * day
	phase := below(draw(key, 0), every)
	for round := floorDivide(now-phase, every); ; round-- {
		if at := round*every + phase + below(draw(key, uint64(round)+1), every); at <= now {
			return at
		}
	}
}
