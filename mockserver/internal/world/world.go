package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"

// Version names the functions that make the world. It changes whenever the same seed would give other values, because a file that
// was promised under one version must not be written under another (export API section 2.3). Before the first release it
// changes with the design alone: nobody has a promise yet.
const Version = 9

// World is one population. It is immutable and safe for concurrent use.
type World struct {
	seed      uint64
	people    int64
	settings  Settings
	keys      keys
	years     years
	rhythms   rhythms
	platforms picker
	odds      odds
	customs   *texture.Column // nil: their identifiers stay as they are

	places []*place
	living picker            // picks one of places
	names  map[string]*Names // by language

	campaigns []campaign
	senders   [channels]senders
	weekly    [channels][weeksOfYear]int64 // messages in the weeks of a year, in 65536ths

	labels   []string // that a user gives to installations
	labelled picker   // picks one of labels
}

type keys struct{ people, customs, devices uint64 }

// odds are what settings say of people.
type odds struct {
	reach     [3]chance             // push only, up to e-mail only, and up to telephones
	optIn     [platforms][16]chance // of installations, by level
	consent   [channels][16]chance  // of addresses, by level
	addresses [channelPush]turns    // how often they change
	devices   [platforms]turns
	active    int64   // for how long people are, on average; 0: always
	awake     float64 // the share of people who are
}

// New makes the world of a seed with a number of people. It refuses settings that contradict each other.
func New(seed uint64, people int64, settings Settings) (*World, error) {
	if err := settings.Check(); err != nil {
		return nil, err
	}
	w := &World{seed: seed, people: max(people, 0), settings: settings, rhythms: newRhythms(), platforms: newPicker(4096, platformShares...)}
	w.keys = keys{named(seed, "people"), named(seed, "customs"), named(seed, "devices")}
	w.years = growthOf(w.people, orDefault(settings.Growth, DefaultGrowth))
	w.names = namesWith(settings.Names)
	if err := w.settle(); err != nil {
		return nil, err
	}
	w.campaigns = campaignsOf(seed, orDefault(settings.Campaigns, DefaultCampaigns))
	messages := orDefault(settings.WeeklyMessages, DefaultWeeklyMessages)
	for of := range channels {
		w.senders[of] = sendersOf(w.campaigns, of)
		for n := range weeksOfYear {
			w.weekly[of][n] = int64(messages * channelVolume[of] * seasons[n*len(seasons)/weeksOfYear] * 65536)
		}
	}
	w.odds = oddsOf(settings)
	if names, weights := weighted(settings.Segments); names != nil {
		w.labels, w.labelled = names, newPicker(4096, weights...)
	}
	w.customs = w.customColumn()
	return w, nil
}

func oddsOf(s Settings) (made odds) {
	pushOnly, emailOnly, sms := s.shares()
	made.reach = [3]chance{chanceOf(pushOnly), chanceOf(pushOnly + emailOnly), chanceOf(pushOnly + emailOnly + sms)}
	shares := [channels]float64{channelEmail: orDefault(s.EmailOptIn, DefaultEmailOptIn), channelSMS: orDefault(s.SMSOptIn, DefaultSMSOptIn)}
	stays := [channels]int64{channelEmail: emailConsented, channelSMS: smsConsented}
	for of, share := range shares {
		for level := range levels {
			made.consent[of][level] = leaning(share, level)
		}
		if of < len(made.addresses) {
			made.addresses[of] = turns{
				turnOf(changePresent, addressStays, [...]int64{emailGone, phoneGone}[of]),
				turnOf(changeUpdated, [...]int64{emailSame, phoneSame}[of], 1),
				turnOf(changeConsent, stays[of], returnsAfter(stays[of], share)),
			}
		}
	}
	usual := orDefault(s.PushOptIn, DefaultPushOptIn)
	for of, factor := range platformOptIn {
		// Who takes messages on one platform more often than on another does so the less, the more all do.
		share := usual + float64((factor-1)*min(usual, 1-usual))
		for level := range levels {
			made.optIn[of][level] = leaning(share, level)
		}
		made.devices[of] = turns{
			turnOf(changeLinked, linkStays, linkGone), turnOf(changeToken, tokenStays, returnsAfter(tokenStays, tokenShare)),
			turnOf(changeOptIn, optInStays, returnsAfter(optInStays, share)),
		}
	}
	if churn := orDefault(s.Churn, DefaultChurn); churn > 0 {
		made.active = int64(4 * week / churn)
	}
	made.awake = 1
	if made.active > 0 {
		made.awake = float64(made.active) / float64(made.active+away)
	}
	return made
}

// leaning is the chance of people of a level: from the least active to the most it rises by two fifths of the way to all or to none.
func leaning(share float64, level int) chance {
	return chanceOf(share + float64(float64(2*level-15)/15*min(share, 1-share)/2.5))
}

// returnsAfter is how long it takes to come back so that a share has what stays for some time; 0: never.
func returnsAfter(stays int64, share float64) int64 {
	if share <= 0 {
		return 0
	}
	return int64(float64(stays) * (1 - share) / share)
}
