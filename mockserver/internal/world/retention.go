package world

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

// isUsed reports whether an installation is in use at an instant of a week, which may be rare.
func (i *installation) isUsed(at int64, rare bool) bool { return rare || at < i.leaves }

// usesApp reports whether any installation of the person may be used from an instant on.
func (p *Person) usesApp(from int64) bool {
	for i := range p.installations {
		if p.installations[i].leaves > from {
			return true
		}
	}
	return false
}
