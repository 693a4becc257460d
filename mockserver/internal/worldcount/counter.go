// Package worldcount counts the settings of a synthetic world in the rows of export files: shares of people, rates of events, messages in
// a week. Nothing is fitted. A share has at least [Least] people on both of its sides, and no text of a file is written, except regions
// in the list of the world. See docs/how-to/import-exports.md
package worldcount

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Least is how many people a share has at least on each of its two sides.
const Least = 50

// share is a part of a whole: some of all. It also counts people with something in the part, and people with something in the rest.
type share struct {
	with, without int64
	some, all     int64
}

func (s *share) add(some, all int64) {
	s.with += number(some > 0)
	s.without += number(some < all)
	s.some, s.all = s.some+some, s.all+all
}

// Counter counts the rows of a dataset, one person after another, as the importer hands them out.
type Counter struct {
	steps   []world.Step // that have a rate
	shares  map[string]*share
	regions map[string]int64 // people
	senders map[string]int64 // by orchestration, people who got messages
	created map[string]int64 // by day, profiles
	days    map[string]bool  // on which messages went out
	people  int64
	person  person
}

// person counts the rows of one.
type person struct {
	profile                profile
	apps, optIns, refusals int64
	counts                 map[string]int64 // events by type; those of one message once
	known                  map[string]bool
	senders                map[string]bool
}

type profile struct {
	Created        string `json:"creation_date"`
	Email          string `json:"email_address"`
	EmailMarketing string `json:"email_marketing"`
	Phone          string `json:"phone_number"`
	SMSMarketing   string `json:"sms_marketing"`
	Region         string `json:"region"`
}

// dayOf is the day of a date.
func dayOf(date string) string { return date[:min(len(date), len(time.DateOnly))] }

// New returns a counter of files that a library describes.
func New(library *schemas.Library) *Counter {
	c := &Counter{
		shares: map[string]*share{}, regions: map[string]int64{}, senders: map[string]int64{},
		created: map[string]int64{}, days: map[string]bool{},
	}
	for _, export := range library.Exports() {
		if export.Stream != "profiles" && export.Stream != "in-app-campaign" { // others tell of push messages again
			continue
		}
		for _, step := range asked.JourneyOf(library, export) {
			if name := rateOf + step.Event; step.After != "" && step.Consent == "" && c.shares[name] == nil {
				c.share(name)
				c.steps = append(c.steps, step)
			}
		}
	}
	return c
}

// Begin ends the rows of a person, and begins the rows of the next one.
func (c *Counter) Begin() {
	if c.people > 0 {
		c.count()
	}
	c.people++
	c.person = person{counts: map[string]int64{}, known: map[string]bool{}, senders: map[string]bool{}}
}

// Row counts a row of the dataset: kind is profiles, installations or events.
func (c *Counter) Row(kind string, row []byte) (err error) {
	p := &c.person
	switch kind {
	case "profiles":
		err = json.Unmarshal(row, &p.profile)
	case "installations":
		var its struct {
			IsOptIn *bool `json:"is_optin"`
		}
		err = json.Unmarshal(row, &its)
		p.apps++
		p.optIns += number(its.IsOptIn != nil && *its.IsOptIn)
		p.refusals += number(its.IsOptIn != nil && !*its.IsOptIn)
	default:
		err = c.event(row)
	}
	return err
}

// event counts an event of the person: of a message that is opened twice, one.
func (c *Counter) event(row []byte) error {
	p := &c.person
	var e struct {
		Type   string `json:"type"`
		Date   string `json:"date"`
		Sent   string `json:"sent_id"`
		Sender string `json:"orchestration_id"`
	}
	if err := json.Unmarshal(row, &e); err != nil {
		return err
	}
	once := e.Type + " " + e.Sent
	if e.Sent == "" && !strings.HasPrefix(e.Type, "inapp_") || e.Sent != "" && p.known[once] {
		return nil
	}
	p.known[once] = true
	p.counts[e.Type]++
	if strings.HasSuffix(e.Type, "_sent") {
		c.days[dayOf(e.Date)] = true
		p.senders[e.Sender] = true
	}
	return nil
}

func (c *Counter) share(name string) *share {
	if c.shares[name] == nil {
		c.shares[name] = &share{}
	}
	return c.shares[name]
}

// Names of shares that are no flags.
const rateOf, messagesOf, reachedBy = "rate of ", "messages of ", "reached by "

var channels = []string{"email", "sms", "push"}

// count counts the person.
func (c *Counter) count() {
	p, its := &c.person, &c.person.profile
	c.share("push-opt-in").add(p.optIns, p.optIns+p.refusals)
	for sender := range maps.Keys(p.senders) {
		c.senders[sender]++
	}
	for _, channel := range channels {
		sent := p.counts[channel+"_sent"]
		c.share(messagesOf+channel).add(sent, sent)
	}
	for _, step := range c.steps {
		all := p.counts[step.After]
		for _, other := range step.Unless {
			all -= p.counts[other]
		}
		c.share(rateOf+step.Event).add(p.counts[step.Event], all)
	}
	if its.Created == "" { // no snapshot lists the profile
		return
	}
	c.created[dayOf(its.Created)]++
	c.regions[its.Region]++
	email, phone, app := its.Email != "", its.Phone != "", p.apps > 0
	c.share("email").add(number(email), 1)
	c.share("app").add(number(app), 1)
	c.share("sms").add(number(phone), 1)
	c.share("push-only").add(number(app && !email && !phone), 1)
	c.share("email-only").add(number(email && !app && !phone), 1)
	const subscribed = "subscribed"
	emails, texts := email && its.EmailMarketing == subscribed, phone && its.SMSMarketing == subscribed
	c.share("email-opt-in").add(number(emails), number(email && its.EmailMarketing != ""))
	c.share("sms-opt-in").add(number(texts), number(phone && its.SMSMarketing != ""))
	c.share(reachedBy+"email").add(number(emails), 1)
	c.share(reachedBy+"sms").add(number(texts), 1)
	c.share(reachedBy+"push").add(number(p.optIns > 0), 1)
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
