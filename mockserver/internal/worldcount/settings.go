package worldcount

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Settings are the counted ones, by the keys of schemas/mock/world.json.
type Settings struct {
	lines []string // of YAML
	// LeftOut says of each setting that was not counted why.
	LeftOut []string
}

// Bounds of schemas/mock/world.json.
const mostCampaigns, mostWeekly, mostWeight = 1000, 100, 1000

// rare says why a share is not written.
const rare = "fewer than 50 people have it, or fewer do not, or it was not asked for"

// choose sets a setting, or says why it is left out.
func (s *Settings) choose(is bool, name string, value any, why string) {
	if is {
		s.lines = append(s.lines, fmt.Sprint(name, ": ", value))
	} else {
		s.LeftOut = append(s.LeftOut, name+": "+why)
	}
}

// YAML returns a file for --world.
func (s *Settings) YAML() []byte {
	lines := append([]string{"# Settings of the world, counted in export files. No share is of fewer than 50 people."}, s.lines...)
	for _, each := range s.LeftOut {
		lines = append(lines, "# Left out: "+each)
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// digits returns the first three digits of a number. The others are cut off, so that the sum of shares stays below 1.
func digits(value float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(max(value, 1e-9)))-2)
	return strconv.FormatFloat(math.Floor(value/unit+1e-9)*unit, 'g', 3, 64)
}

// Settings ends the last person, and returns the counted settings.
func (c *Counter) Settings() *Settings {
	c.Begin()
	c.people--
	made := &Settings{}
	c.size(made)
	for _, name := range []string{"push-only", "email-only", "sms", "push-opt-in", "email-opt-in", "sms-opt-in"} {
		whole := !strings.HasSuffix(name, "-only") || min(c.share("email").with, c.share("sms").with, c.share("app").with) >= Least
		made.choose(whole && c.share(name).is(), name, c.share(name).text(), rare)
	}
	c.messages(made)
	c.rates(made)
	c.ofRegions(made)
	return made
}

// is reports whether enough people are on both sides of a share.
func (s *share) is() bool { return min(s.with, s.without) >= Least && s.some <= s.all }

func (s *share) text() string { return digits(float64(s.some) / float64(s.all)) }

// size sets the growth of the last year, and the final size of a world that has as many profiles now.
func (c *Counter) size(s *Settings) {
	last := ""
	for day := range c.created {
		last = max(last, day)
	}
	end, _ := time.Parse(time.DateOnly, last) // schemas say that it is a date
	recent, before := int64(0), int64(0)
	for day, count := range c.created {
		if day > end.AddDate(-1, 0, 0).Format(time.DateOnly) {
			recent += count
		} else {
			before += count
		}
	}
	growth := world.DefaultGrowth
	grows := recent >= Least && before >= max(Least, recent)
	if grows {
		growth = float64(recent) / float64(before)
	}
	s.choose(grows, "growth", digits(growth), "fewer than 50 profiles are of the last year or older, or they more than doubled, "+
		"or $creation_date was not asked for")
	people := cmp.Or(recent+before, c.people)
	final := float64(people)
	if w, err := world.New(0, people, world.Settings{Growth: &growth}); err == nil && last != "" {
		final *= final / float64(max(w.PeopleBy(end.AddDate(0, 0, 1).Unix()), 1))
	}
	number, _ := strconv.ParseFloat(digits(final), 64) // which it is
	s.choose(people >= Least, "profiles", int64(number), "there are fewer than 50 people")
}

// messages sets how many orchestrations write to enough people, and how many messages a week are meant for each profile: of
// each channel, as many as a person gets whom it reaches.
func (c *Counter) messages(s *Settings) {
	campaigns, weekly := 0, 0.0
	for _, people := range c.senders {
		campaigns += int(number(people >= Least))
	}
	s.choose(campaigns > 0, "campaigns", min(campaigns, mostCampaigns), "nobody sent messages to 50 people")
	const week = 7
	for _, channel := range channels {
		if of, reached := c.share(messagesOf+channel), c.share(reachedBy+channel).with; min(of.with, reached) >= Least {
			weekly += float64(of.all) / float64(reached) * week / float64(len(c.days))
		}
	}
	s.choose(weekly > 0 && len(c.days) >= week, "weekly-messages", digits(min(weekly, mostWeekly)),
		"no channel has 50 people who consent and 50 who got messages, or the files have fewer than seven days")
}

// rates sets how many messages go on from one step to the next.
func (c *Counter) rates(s *Settings) {
	var rates []string
	for _, step := range c.steps {
		if of := c.share(rateOf + step.Event); of.is() {
			rates = append(rates, step.Event+": "+of.text())
		} else {
			s.choose(false, rateOf+step.Event, "", rare)
		}
	}
	if len(rates) > 0 {
		s.choose(true, "rates", "{"+strings.Join(rates, ", ")+"}", "")
	}
}

// ofRegions sets how often each region comes that the world has a list of.
func (c *Counter) ofRegions(s *Settings) {
	known := world.Regions()
	maps.DeleteFunc(c.regions, func(region string, people int64) bool {
		return people < Least || !slices.Contains(known, region)
	})
	all := int64(0)
	for _, people := range c.regions {
		all += people
	}
	var weights []string
	for _, region := range slices.Sorted(maps.Keys(c.regions)) {
		weights = append(weights, fmt.Sprint(region, ": ", (c.regions[region]*mostWeight+all-1)/all))
	}
	s.choose(len(weights) > 1, "regions", "{"+strings.Join(weights, ", ")+"}",
		"no two regions that the world has are of 50 people each, or they were not asked for")
}
