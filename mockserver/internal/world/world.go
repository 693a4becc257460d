package world

// Version names the functions that make the world. It changes whenever the
// same seed would give other values, because a file that was promised under one
// version must not be written under another (export API section 2.3).
const Version = 1

// birth is when the world begins: 2024-01-01T00:00:00Z.
const birth = 1_704_067_200

// World is one population. It is immutable and safe for concurrent use, and it
// costs the same to make whatever its size.
type World struct {
	seed     uint64
	profiles int64
	keys     keys

	emailConsent, smsConsent   *timeline // per profile
	emailPresent, phonePresent *timeline
	emailUpdated, phoneUpdated *timeline // between a first and a second address
	optIn, reachable, linked   *timeline // per installation
	timelines                  [changeKinds]*timeline
}

type keys struct {
	profile, person, place, emailDomain, phone, custom, customAbsent, channels, created,
	installation, advertising, platform, installed, pattern,
	visit, start, segment, transactional, orchestration uint64
}

// New makes the world of a seed with a number of profiles. A negative number
// is taken as none.
func New(seed uint64, profiles int64) *World {
	w := &World{seed: seed, profiles: max(profiles, 0)}
	for name, key := range map[string]*uint64{
		"profile": &w.keys.profile, "person": &w.keys.person, "place": &w.keys.place,
		"email domain": &w.keys.emailDomain, "phone": &w.keys.phone, "custom": &w.keys.custom,
		"custom absent": &w.keys.customAbsent, "channels": &w.keys.channels, "created": &w.keys.created,
		"installation": &w.keys.installation, "advertising": &w.keys.advertising,
		"platform": &w.keys.platform, "installed": &w.keys.installed, "pattern": &w.keys.pattern,
		"visit": &w.keys.visit, "start": &w.keys.start, "segment": &w.keys.segment,
		"transactional": &w.keys.transactional, "orchestration": &w.keys.orchestration,
	} {
		*key = keyOf(seed, name)
	}
	usually := func(name string, share float64) func(int64) bool {
		key, bound := keyOf(seed, name), chanceOf(share)
		return func(thing int64) bool { return bound.holds(draw(key, uint64(thing))) }
	}
	// A profile whose address comes and goes does not change its consent or the
	// address itself: so no consent changes while there is nothing to consent to.
	comesAndGoes := usually("comes and goes", 0.1)
	steady := func(has func(int64) bool) func(int64) bool {
		return func(profile int64) bool { return has(profile) && !comesAndGoes(profile) }
	}
	always := func(int64) bool { return true }
	ofProfiles := func(name string, share float64, usual, moves func(int64) bool) *timeline {
		return newTimeline(keyOf(seed, name), w.profiles, share, usual, moves)
	}
	ofInstallations := func(name string, share float64, usual, moves func(int64) bool) *timeline {
		return newTimeline(keyOf(seed, name), w.Installations(), share, usual, moves)
	}
	w.emailConsent = ofProfiles("email consent", 0.06, usually("email consented", 0.74), steady(w.usuallyHasEmail))
	w.smsConsent = ofProfiles("sms consent", 0.04, usually("sms consented", 0.55), steady(w.usuallyHasPhone))
	w.emailPresent = ofProfiles("email present", 0.1, w.usuallyHasEmail, comesAndGoes)
	w.phonePresent = ofProfiles("phone present", 0.1, w.usuallyHasPhone, comesAndGoes)
	w.emailUpdated = ofProfiles("email updated", 0.01, usually("second email", 0.3), steady(w.usuallyHasEmail))
	w.phoneUpdated = ofProfiles("phone updated", 0.01, usually("second phone", 0.3), steady(w.usuallyHasPhone))
	w.optIn = ofInstallations("opt-in", 0.05, usually("opted in", 0.64), always)
	w.reachable = ofInstallations("reachable", 0.03, usually("has token", 0.88), always)
	w.linked = ofInstallations("linked", 0.02, always, func(installation int64) bool {
		return w.hasCustomID(w.ownerOf(installation))
	})
	w.timelines = [changeKinds]*timeline{
		changeReachable: w.reachable, changeOptIn: w.optIn, changeLinked: w.linked,
		changeEmailPresent: w.emailPresent, changeEmailUpdated: w.emailUpdated, changeEmailConsent: w.emailConsent,
		changePhonePresent: w.phonePresent, changePhoneUpdated: w.phoneUpdated, changeSMSConsent: w.smsConsent,
	}
	return w
}

// Profiles is how many profiles the world has.
func (w *World) Profiles() int64 { return w.profiles }

// Installations is how many installations they have together.
func (w *World) Installations() int64 {
	full := w.profiles / groupProfiles * groupInstallations
	return full + w.installationsBefore(w.profiles)
}
