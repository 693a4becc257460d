package world

import "math/bits"

// Version names the functions that make the world. It changes whenever the
// same seed would give other values, because a file that was promised under one
// version must not be written under another (export API section 2.3).
const Version = 8

// birth is when the world begins: 2024-01-01T00:00:00Z.
const worldStart = 1_704_067_200

// World is one population. It is immutable and safe for concurrent use, and it
// costs the same to make whatever its size.
type World struct {
	seed           uint64
	profiles       int64
	settings       Settings
	keys           keys
	arrivals       arrivals
	created        arrivalCache // created before an instant
	fullyInstalled arrivalCache // created so long before it that they have all their installations
	ownership      installationIndex
	orchestrations orchestrations
	drawn          drawn
	timelines      [changeKinds]*timeline
	kept           worldCache
}

// worldCache is what a world keeps of blocks of profiles.
type worldCache struct {
	installTimes installTimesCache
	pushHomes    pushHomesCache
}

// keys are the keys of what is drawn about an entity.
type keys struct {
	profileKeys
	installationKeys
	orchestration uint64
}

type profileKeys struct {
	profile, person, mailbox, custom, customAbsent, channels, activity, season, visit, transactional uint64
}

type installationKeys struct {
	installation, advertising, platform, installed, start, segment uint64
}

// New makes the usual world of a seed with a number of profiles. A negative
// number is taken as none.
func New(seed uint64, profiles int64) *World {
	w, err := NewWith(seed, profiles, Settings{})
	if err != nil {
		panic("world: the zero Settings are refused: " + err.Error())
	}
	return w
}

// NewWith makes the world of a seed with a number of profiles and settings. It
// refuses what [Settings.Check] refuses. A negative number is taken as none.
func NewWith(seed uint64, profiles int64, settings Settings) (*World, error) {
	if err := settings.Check(); err != nil {
		return nil, err
	}
	w := &World{seed: seed, profiles: max(profiles, 0), settings: settings.Clone()}
	for name, key := range map[string]*uint64{
		"profile": &w.keys.profile, "person": &w.keys.person, "mailbox": &w.keys.mailbox,
		"custom": &w.keys.custom, "custom absent": &w.keys.customAbsent, "channels": &w.keys.channels, "activity": &w.keys.activity, "season": &w.keys.season,
		"installation": &w.keys.installation, "advertising": &w.keys.advertising,
		"platform": &w.keys.platform, "installed": &w.keys.installed,
		"visit": &w.keys.visit, "start": &w.keys.start, "segment": &w.keys.segment,
		"transactional": &w.keys.transactional, "orchestration": &w.keys.orchestration,
	} {
		*key = keyOf(seed, name)
	}
	w.drawn = w.settings.drawn()
	w.arrivals = newArrivals(keyOf(seed, "created"), w.profiles, orDefault(settings.Growth, DefaultGrowth))
	w.created.arrivals, w.fullyInstalled.arrivals = &w.arrivals, &w.arrivals
	w.fullyInstalled.earlier = longestWait + 3600
	w.ownership = newInstallationIndex(keyOf(seed, "households"), w.profiles, w.drawn.channels.noInstallation)
	w.drawn.homes.lines = newPhoneLines(keyOf(seed, "phone"))
	w.orchestrations = newOrchestrations(keyOf(seed, "effects"), &settings)
	w.makeTimelines()
	return w, nil
}

func (w *World) makeTimelines() {
	entities := max(w.profiles, w.Installations())
	cached := func(of memberFilter) memberFacts { return factsOf(entities, of) }
	usually := func(name string, share float64) memberFacts {
		key, bound := keyOf(w.seed, name), chanceOf(share)
		return cached(func(block int64, members memberSet) memberSet { return bound.sample(draw(key, uint64(block)), members) }).
			aloneBy(entities, func(entity, _ int64) bool { return bound.holdsFor(draw(key, uint64(entity>>blockBits)), setOf(entity)) })
	}
	// Who does much agrees more often.
	engaged := func(name string, share float64, by people) memberFacts {
		key, rate := keyOf(w.seed, name), rateByLevel(share, &engagement, levelWeights{awake: &alwaysAwake, acting: steadyLevels()})
		alone := func(entity, person int64) bool {
			random, member := draw(key, uint64(entity>>blockBits)), setOf(entity)
			return rate.top.sample(random, member) != 0 && (!rate.varies || rate.holds(mix(random), member, w.activityOf(person)))
		}
		return cached(func(block int64, members memberSet) memberSet {
			if members&(members-1) == 0 { // one, or none
				if entity := block<<blockBits + int64(bits.TrailingZeros64(uint64(members))); members == 0 || alone(entity, by.of(entity)) {
					return members
				}
				return 0
			}
			random := draw(key, uint64(block))
			if members = rate.top.sample(random, members); members == 0 || !rate.varies {
				return members
			}
			sets := by.levels(block, members)
			return rate.sample(mix(random), members, &sets)
		}).aloneBy(entities, alone)
	}
	// A profile whose address comes and goes does not change its consent or the
	// address itself: so no consent changes while there is nothing to consent to.
	comesAndGoes := usually("comes and goes", comingAndGoing)
	steady, goes := comesAndGoes.not().and, comesAndGoes.and
	hasEmail, hasPhone := cached(w.usualEmail), cached(w.usualPhone)
	always := isAll()
	ofProfiles := func(name string, share float64, usual, moves memberFacts) *timeline {
		return newTimeline(keyOf(w.seed, name), w.profiles, share, usual, moves)
	}
	ofInstallations := func(name string, share float64, usual, moves memberFacts) *timeline {
		return newTimeline(keyOf(w.seed, name), w.Installations(), share, usual, moves)
	}
	ofPeople := people{
		of:     func(profile int64) int64 { return profile },
		levels: func(block int64, _ memberSet) [levels]memberSet { return levelSetsOf(w.activityWords(block)) },
	}
	pushOptIn := orDefault(w.settings.PushOptIn, DefaultPushOptIn)
	emailOptIn := orDefault(w.settings.EmailOptIn, DefaultEmailOptIn)
	bySMS, byLandline := engaged("sms consented", w.drawn.channels.smsOptIn.mobile, ofPeople), engaged("sms consented", w.drawn.channels.smsOptIn.landline, ofPeople)
	smsConsent := cached(func(block int64, members memberSet) (consenting memberSet) {
		taking := w.takingSMS(block, members)
		if taking != 0 {
			consenting = bySMS.drawn(block, taking)
		}
		if others := members &^ taking; others != 0 {
			consenting |= byLandline.drawn(block, others)
		}
		return consenting
	}).aloneBy(entities, func(entity, person int64) bool {
		if w.takesSMS(person) {
			return bySMS.alone(entity, person)
		}
		return byLandline.alone(entity, person)
	})
	takesSMS := hasPhone
	if w.drawn.channels.smsOptIn.landline == 0 {
		takesSMS = hasPhone.and(sameFacts(w.takingSMS))
	}
	linkMoves := sameFacts(func(block int64, members memberSet) (moves memberSet) {
		for members != 0 {
			if bit := members.pop(); w.hasCustomID(w.ownerOf(block<<blockBits + int64(bit))) {
				moves.add(bit)
			}
		}
		return moves
	})
	linkMoves.alone = func(_, person int64) bool { return w.hasCustomID(person) }
	w.timelines = [changeKinds]*timeline{
		changeReachable:    ofInstallations("reachable", moving(ChangePushToken), usually("has token", 0.88), always),
		changeOptIn:        ofInstallations("opt-in", moving(ChangePushOptIn), engaged("opted in", pushOptIn, people{w.ownerOf, w.levelsOfOwners}), always),
		changeLinked:       ofInstallations("linked", 0.02, always, linkMoves),
		changeEmailPresent: ofProfiles("email present", moving(ChangeEmailAddress), hasEmail, goes(hasEmail)),
		changeEmailUpdated: ofProfiles("email updated", 0.01, usually("second email", 0.3), steady(hasEmail)),
		changeEmailConsent: ofProfiles("email consent", moving(ChangeEmailConsent), engaged("email consented", emailOptIn, ofPeople), steady(hasEmail)),
		changePhonePresent: ofProfiles("phone present", moving(ChangePhoneNumber), hasPhone, goes(hasPhone)),
		changePhoneUpdated: ofProfiles("phone number updated", 0.01, usually("second phone", 0.3), steady(hasPhone)),
		changeSMSConsent:   ofProfiles("sms consent", moving(ChangeSMSConsent), smsConsent, steady(takesSMS)),
	}
	for _, kind := range [...]changeKind{changeLinked, changeEmailPresent, changePhonePresent} {
		w.timelines[kind].moves.fromTrue = true
	}
}

// people are those whose entities are asked about: of one, and by level of activity, the
// entities of some of a block.
type people struct {
	of     func(entity int64) int64
	levels func(block int64, members memberSet) [levels]memberSet
}

// Profiles is how many profiles the world ever has; some of them are still to
// be created (see [World.ProfilesAt]).
func (w *World) Profiles() int64 { return w.profiles }

// ProfilesAt is how many profiles have been created before an instant, in
// seconds since 1970: those numbered below it.
func (w *World) ProfilesAt(instant int64) int64 { return w.arrivals.before(instant) }

// Installations is how many installations the profiles ever have together.
func (w *World) Installations() int64 { return w.ownership.before(w.profiles) }
