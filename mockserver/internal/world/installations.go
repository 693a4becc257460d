package world

import "math/bits"

// Profiles stand in groups of eight that own ten installations together, so
// that the installations of a profile, and the profile of an installation, are
// found by arithmetic. Who in the group owns how many is shuffled per group.
const (
	groupProfiles      = 8
	groupInstallations = 10
)

// groupShares are the numbers of installations of the eight profiles of a
// group before they are shuffled, one in each byte, the first in the lowest.
const groupShares = 0x03_02_01_01_01_01_01_00

// everyByte repeats a byte eight times. Multiplied with it, eight bytes become
// their running sums.
const everyByte = 0x01_01_01_01_01_01_01_01

// sharesOf are the numbers of installations of the eight profiles of a group,
// one in each byte: a Fisher-Yates shuffle. The divisors are constants, which
// makes it three times as fast as a loop.
func (w *World) sharesOf(group int64) uint64 {
	random, shares := draw(w.keys.pattern, uint64(group)), uint64(groupShares)
	shares, random = swapBytes(shares, 7, random%8), random/8
	shares, random = swapBytes(shares, 6, random%7), random/7
	shares, random = swapBytes(shares, 5, random%6), random/6
	shares, random = swapBytes(shares, 4, random%5), random/5
	shares, random = swapBytes(shares, 3, random%4), random/4
	shares, random = swapBytes(shares, 2, random%3), random/3
	return swapBytes(shares, 1, random%2)
}

func swapBytes(of, i, j uint64) uint64 {
	differ := (of>>(8*i&63) ^ of>>(8*j&63)) & 0xff
	return of ^ differ<<(8*i&63) ^ differ<<(8*j&63)
}

// installationsBefore is how many installations of the group of a profile
// belong to the profiles before it in that group.
func (w *World) installationsBefore(profile int64) int64 {
	first, _ := w.installationsOf(profile)
	return first - profile/groupProfiles*groupInstallations
}

// installationsOf is the first installation of a profile and how many it has.
func (w *World) installationsOf(profile int64) (first, count int64) {
	group, place := profile/groupProfiles, uint64(profile%groupProfiles)
	shares := w.sharesOf(group)
	count = int64(shares >> (8 * place & 63) & 0xff)
	sum := int64(shares * everyByte >> (8 * place & 63) & 0xff)
	return group*groupInstallations + sum - count, count
}

// ownerOf is the profile of an installation: as many profiles of its group
// stand before it as have running sums that do not pass its place.
func (w *World) ownerOf(installation int64) int64 {
	group, place := installation/groupInstallations, uint64(installation%groupInstallations)
	sums := w.sharesOf(group) * everyByte
	before := bits.OnesCount64(((place*everyByte | everyByte<<7) - sums) & (everyByte << 7))
	return group*groupProfiles + int64(before)
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

// isInstalled says whether an installation is there at a moment of the world.
func (w *World) isInstalled(installation, at int64) bool {
	if at >= birth && draw(w.keys.installed, uint64(installation))%10 >= 3 {
		return true // it was made before the world began
	}
	return w.installedAt(installation) <= at
}

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
