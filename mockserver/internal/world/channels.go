package world

// channelShares are the shares of the channels among profiles with and without
// installations, as the settings say.
type channelShares struct {
	noInstallation float64
	pushOnly       chance // of those with an installation
	emailOnly      chance // of those without one; the others have a telephone
	// mobile and landline are the chances of a telephone, of those with an installation
	// who are not push-only: by whether their number would take SMS.
	mobile, landline chance
	smsOptIn         consentShares
}

// consentShares are the shares of telephones that take SMS and of others whose person
// consents to marketing.
type consentShares struct{ mobile, landline float64 }

// Nine in ten people with a telephone number have an e-mail address as well;
// among all who are neither push-only nor email-only, a few have no app.
const withoutApp = 0.07

var emailBesidePhone = chanceOf(0.9)

func (s Settings) channelShares(mobile float64) channelShares {
	pushOnly, emailOnly, sms := s.shares()
	others := max(1-pushOnly-emailOnly, 0)
	noApp := min(withoutApp*others, sms)
	if pushOnly+emailOnly >= 1 {
		noApp = 0
	}
	made := channelShares{noInstallation: emailOnly + noApp}
	made.emailOnly = partOf(emailOnly, made.noInstallation)
	made.pushOnly = partOf(pushOnly, 1-made.noInstallation)
	rest := 1 - made.noInstallation - pushOnly
	phones := min(max(sms-noApp, 0)/max(rest, 1e-9), 1)
	// Who has a landline gives its number half as often.
	given := consentShares{mobile: min(phones/(mobile+float64((1-mobile)/2)), 1)}
	given.landline = ratio(phones-float64(given.mobile*mobile), 1-mobile)
	made.mobile, made.landline = chanceOf(given.mobile), chanceOf(given.landline)
	// Nobody with a landline consents, unless the others do not suffice.
	optIn, taking := orDefault(s.SMSOptIn, DefaultSMSOptIn), mobile
	if sms > 1e-9 {
		taking = (float64(noApp*mobile) + float64(given.mobile*mobile*rest)) / (noApp + float64(phones*max(rest, 0)))
	}
	made.smsOptIn.mobile = min(ratio(optIn, taking), 1)
	made.smsOptIn.landline = ratio(max(optIn-taking, 0), 1-taking)
	return made
}

// ratio is that of two numbers, and 0 where nobody is whom it would be of: weights of regions may leave no mobile telephone, or none
// but those.
func ratio(some, all float64) float64 {
	if all < 1e-12 {
		return 0
	}
	return some / all
}

// partOf is the chance of a part in a whole.
func partOf(part, whole float64) chance {
	if whole <= 1e-9 {
		return chanceOf(1)
	}
	return chanceOf(part / whole)
}

// usualEmail are those of some profiles of a block that usually have an e-mail address:
// those who are not push-only, but for some of those who have a telephone.
func (w *World) usualEmail(block int64, members memberSet) memberSet {
	pushOnly := w.pushOnlyOf(block, members)
	if pushOnly != 0 {
		pushOnly &^= w.ownership.withoutInstallation(block, pushOnly)
	}
	email := members &^ pushOnly
	others := email &^ emailBesidePhone.sample(mix(w.channelsKey(block)+4), email)
	if others == 0 {
		return email
	}
	return email &^ w.usualPhone(block, others)
}

// usualPhone are those that have a telephone. A profile without an installation has an
// address or a telephone.
func (w *World) usualPhone(block int64, members memberSet) memberSet {
	random := w.channelsKey(block)
	without := w.ownership.withoutInstallation(block, members)
	with := members &^ without
	phone := with &^ w.pushOnlyOf(block, with)
	if phone != 0 {
		taking := w.takingSMS(block, phone)
		phone = w.drawn.channels.mobile.sample(mix(random+3), taking) | w.drawn.channels.landline.sample(mix(random+3), phone&^taking)
	}
	phone |= without &^ w.drawn.channels.emailOnly.sample(mix(random+1), without)
	return phone
}

func (w *World) channelsKey(block int64) uint64 { return draw(w.keys.channels, uint64(block)) }

func (w *World) usuallyHasEmail(profile int64) bool {
	return w.timelines[changeEmailPresent].usually(profile)
}

func (w *World) isPushOnly(profile int64) bool {
	block, member := profile>>blockBits, setOf(profile)
	return w.pushOnlyOf(block, member&^w.ownership.withoutInstallation(block, member)) != 0
}

// pushOnlyOf are the push-only ones of some profiles with an installation.
func (w *World) pushOnlyOf(block int64, members memberSet) memberSet {
	return w.drawn.channels.pushOnly.sample(mix(w.channelsKey(block)+2), members)
}
