package world

type channel uint8

const (
	channelEmail channel = iota
	channelSMS
	channelPush
	channels
)

var channelNames = [channels]string{"email", "sms", "push"}

// campaign is an orchestration that sends messages: marketing to many at once or to each when it is time for them, or what
// people expect, such as an order that was shipped.
type campaign struct {
	number        int32
	channel       channel
	transactional bool
	kind          int    // 1 of transactional ones, else 0
	name, step    string // "": none
	key           uint64
	volume        float64 // against the others of its channel
	plan          plan
	// opens and clicks are how often people do, against the mean of the channel.
	opens, clicks float64
	translated    bool // it is written in the language of the person
	tested        bool // it has variants
}

// plan is when a campaign goes out.
type plan struct {
	// It does on a day and at an hour, all within some time; 0: to each person at a time of their own.
	atOnce    int64
	day, hour int64
	local     bool // by the clocks of the people, as all short and push messages, and else by those of the sender
}

// kindsOfCampaigns are the channels of campaigns in turn, and whether they are transactional.
var kindsOfCampaigns = []struct {
	channel       channel
	transactional bool
}{
	{channelPush, false}, {channelEmail, false}, {channelPush, true}, {channelSMS, false}, {channelEmail, true}, {channelEmail, false},
	{channelPush, false}, {channelEmail, false}, {channelPush, false}, {channelEmail, false}, {channelSMS, false}, {channelEmail, false},
}

// Names of campaigns, by channel, of marketing and of transactional ones.
var (
	marketingNames = [channels][]string{
		channelEmail: {
			"Weekly newsletter", "New arrivals", "Basket reminder", "Seasonal offers", "Welcome series", "Back in stock", "Members' week",
			"Product guide", "We miss you", "Birthday greeting",
		},
		channelSMS: {"Last day of sale", "Store opening", "Delivery slots", "Member offer"},
		channelPush: {
			"Flash sale", "Price drop", "Morning briefing", "Weekend picks", "Saved items", "App update", "Event tonight", "Loyalty points",
		},
	}
	transactionalNames = [channels][]string{
		channelEmail: {"Order confirmation", "Shipping notice", "Password reset", "Receipt"},
		channelSMS:   {"Verification code"},
		channelPush:  {"Order status", "Courier nearby", "Payment received"},
	}
	stepNames = []string{"Announcement", "Reminder", "Last call", "Follow-up"}
)

// Shares of a channel against the messages of a week, of people who can be reached by it.
var channelVolume = [channels]float64{channelEmail: 0.52, channelSMS: 0.13, channelPush: 0.72}

// Sizes of campaigns differ like one, a half, a third and so on; those who buy get more of a transactional one, and others nothing.
const transactionalVolume = 1.5

// seasons are the volume of the months of a year against the busiest.
var seasons = [12]float64{.8, .74, .78, .8, .8, .82, .74, .66, .82, .86, 1, 1}

// opensOf are the least that people open a campaign against the mean of its channel, and how much more at most, in percent.
var opensOf = [channels][2]int64{channelEmail: {45, 115}, channelSMS: {60, 90}, channelPush: {20, 180}}

func campaignsOf(seed uint64, count int) (made []campaign) {
	key := named(seed, "campaigns")
	var ofChannel [channels]int
	for i := range max(count, 3) {
		kind := kindsOfCampaigns[i%len(kindsOfCampaigns)]
		c := campaign{number: int32(i), channel: kind.channel, transactional: kind.transactional, key: keyed(key, uint64(i))}
		r := random{c.key}
		rank := ofChannel[kind.channel]
		ofChannel[kind.channel]++
		c.volume = 1 / float64(rank+2)
		names := marketingNames
		if c.transactional {
			names = transactionalNames
			c.volume *= transactionalVolume
			c.kind = 1
		}
		if list := names[kind.channel]; r.below(11) > 0 {
			c.name = list[(int64(rank)+below(key, int64(len(list))))%int64(len(list))]
			if round := i / len(kindsOfCampaigns); round > 1 {
				c.name += " " + string('A'+rune(round%26))
			}
		}
		if r.below(3) > 0 {
			c.step = stepNames[r.below(int64(len(stepNames)))]
		}
		opens := opensOf[kind.channel]
		c.opens, c.clicks = float64(opens[0]+r.below(opens[1]))/100, float64(40+r.below(140))/100
		c.plan.local, c.translated, c.tested = r.below(8) > 0 || c.channel != channelEmail, r.below(3) == 0, r.below(3) == 0
		if !c.transactional && r.below(3) > 0 {
			c.plan.atOnce = 20*minute + r.below(2*hour)
		}
		c.plan.day = []int64{1, 3, 1, 2, 3, 4, 5, 6, 0}[r.below(9)]
		switch kind.channel {
		case channelEmail:
			c.plan.hour = 7 + r.below(5)
		case channelSMS:
			c.plan.hour = 10 + r.below(8)
		case channelPush:
			c.plan.hour = 11 + r.below(8)
		}
		made = append(made, c)
	}
	return made
}

// senders are the campaigns of a channel, and what picks one by their volume.
type senders struct {
	list []*campaign
	by   picker
}

func sendersOf(all []campaign, of channel) (made senders) {
	var weights []float64
	for i := range all {
		if all[i].channel == of {
			made.list, weights = append(made.list, &all[i]), append(weights, all[i].volume)
		}
	}
	if made.list != nil {
		made.by = newPicker(4096, weights...)
	}
	return made
}

// Designs of a campaign change every half year; those that are tested send two variants in the first weeks, and then the better one.
const (
	designWeeks = 26
	testWeeks   = 6
)

// testing reports whether both variants go out at an instant.
func (c *campaign) testing(at int64) bool {
	return c.tested && (weekOf(at)+int64(c.key>>40&31))%designWeeks < testWeeks
}

// variant is 0 or 1: that of a person, or of everybody once the test is over.
func (c *campaign) variant(person uint64, at int64) byte {
	if !c.testing(at) {
		return byte(c.key >> 50 & 1)
	}
	return byte(keyed(person, c.key) & 1)
}

// The variants of a test differ in how often people open them.
const most, least = 1.1, 0.9

// gain is how often a person opens the variant they get in a week, against both on average: the better one is that which goes out later.
func (c *campaign) gain(person uint64, week int64) float64 {
	at := weekStart(week)
	switch {
	case !c.testing(at):
		return 1
	case c.variant(person, at) == byte(c.key>>50&1):
		return most
	}
	return least
}

// target is a campaign token or a group: a part of the people to whom one of the campaigns sends.
type target struct {
	campaign     *campaign
	slice, parts uint64
	key          uint64
}

// How many targets there are: in a small world few, so that each has rows, and in a large one so many that two names are seldom the same.
const (
	fewestTargets, mostTargets      = 8, 256
	campaignOfPeople, groupOfPeople = 40, 200
)

// targetOf is the target of a key. All targets get about as many messages. Two share nothing, unless they are the
// same one by chance: with 10,000 people or more, one pair of campaigns in 250.
func targetOf(campaigns []campaign, key uint64, people int64, transactional bool) (made target) {
	share := int64(campaignOfPeople)
	if transactional {
		share = groupOfPeople
	}
	count := float64(min(max(people/share, fewestTargets), mostTargets))
	var list []*campaign
	all, sum := 0.0, int64(0)
	for i := range campaigns {
		if c := &campaigns[i]; c.channel == channelPush && c.transactional == transactional {
			list, all = append(list, c), all+c.volume
		}
	}
	parts := func(c *campaign) int64 { return max(int64(float64(count*c.volume)/all), 1) }
	for _, c := range list {
		sum += parts(c)
	}
	at := below(key, sum)
	for _, c := range list {
		if at < parts(c) {
			return target{campaign: c, parts: uint64(parts(c)), slice: uint64(at), key: key}
		}
		at -= parts(c)
	}
	return target{key: key, parts: 1}
}

func (t *target) holds(c *campaign, person uint64) bool {
	return t.campaign == c && keyed(person, c.key+1)%t.parts == t.slice
}

type segment struct {
	code  string
	key   uint64
	share chance
}

// Segments have from a twentieth to half of the people.
func segmentOf(seed uint64, code string) *segment {
	if code == "" {
		return nil
	}
	key := named(seed, "segment "+code)
	return &segment{code, key, chanceOf(float64(5+below(key, 46)) / 100)}
}

// holds reports whether a person is in the segment; everybody is in none.
func (s *segment) holds(person uint64) bool {
	return s == nil || s.share.holds(keyed(s.key, person))
}
