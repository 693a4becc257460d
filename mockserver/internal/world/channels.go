package world

// channelShares are how the settings share out the channels among profiles
// that have installations and those that have none.
type channelShares struct {
	noInstallation float64
	pushOnly       chance // of those with an installation
	emailOnly      chance // of those without one; the others have a telephone
	phone          chance // of those with an installation who are not push-only
}

// Nine in ten people with a telephone number have an e-mail address as well;
// among all who are neither push-only nor email-only, a few have no app.
const (
	emailBesidePhone = 90 // per cent
	withoutApp       = 0.07
)

func (s Settings) channelShares() channelShares {
	pushOnly, emailOnly, sms := s.shares()
	others := max(1-pushOnly-emailOnly, 0)
	noApp := min(withoutApp*others, sms)
	if pushOnly+emailOnly >= 1 {
		noApp = 0
	}
	made := channelShares{noInstallation: emailOnly + noApp}
	made.emailOnly = partOf(emailOnly, made.noInstallation)
	made.pushOnly = partOf(pushOnly, 1-made.noInstallation)
	made.phone = partOf(sms-noApp, 1-made.noInstallation-pushOnly)
	return made
}

// partOf is the chance of a part in a whole.
func partOf(part, whole float64) chance {
	if whole <= 1e-9 {
		return chanceOf(1)
	}
	return chanceOf(part / whole)
}

// channelsOf says by which channels a profile can be reached, apart from times
// at which it cannot. A profile without an installation has an address.
func (w *World) channelsOf(profile int64) (email, phone, pushOnly bool) {
	random := draw(w.keys.channels, uint64(profile))
	both := mix(random)%100 < emailBesidePhone
	if _, installations := w.installationsOf(profile); installations == 0 {
		if w.channels.emailOnly.holds(random) {
			return true, false, false
		}
		return both, true, false
	}
	if w.channels.pushOnly.holds(random) {
		return false, false, true
	}
	if w.channels.phone.holds(mix(random + golden)) {
		return both, true, false
	}
	return true, false, false
}

func (w *World) usuallyHasEmail(profile int64) bool {
	email, _, _ := w.channelsOf(profile)
	return email
}

func (w *World) usuallyHasPhone(profile int64) bool {
	_, phone, _ := w.channelsOf(profile)
	return phone
}

func (w *World) isPushOnly(profile int64) bool {
	_, _, pushOnly := w.channelsOf(profile)
	return pushOnly
}
