package learn

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// How often consents and addresses change is learned from files of changes, beside a snapshot that lists whose they are; or else from how
// many messages end one, as if as many ends came with a message as usually do.

// The names of how many of those who have something change it in four weeks, and of how many messages end it.
const (
	changeOf, endOfOne = "change of ", "messages that end "
	endsByMessage      = "ends-by-message"
)

// unlike is how what one has differs from what another has, of a draft: campaigns, and states that change.
type unlike struct {
	quality   map[string][]float64 // by channel
	changes   map[string]float64
	byMessage *float64
	drivers   map[string]string // by what changes, by which count it is learned
	tried     map[string]*yield // by count
}

func newUnlike() unlike {
	return unlike{quality: map[string][]float64{}, changes: map[string]float64{}, drivers: map[string]string{}, tried: map[string]*yield{}}
}

// yield is what a setting brought about in all trials: x of what would have been so many had it come as often as it said.
type yield struct{ x, said float64 }

// changedRow are the members of an event that says what changed.
type changedRow struct {
	Reasons     []string `json:"reasons"`
	IsOptIn     *bool    `json:"is_optin"`
	IsReachable *bool    `json:"is_reachable"`
}

// what is what changed. A profile export does not tell when a token is lost.
func (c *changedRow) what() (list []string) {
	for _, reason := range c.Reasons {
		switch {
		case strings.HasSuffix(reason, "_EMAIL_MARKETING"):
			list = append(list, world.ChangeEmailConsent)
		case strings.HasSuffix(reason, "_SMS_MARKETING"):
			list = append(list, world.ChangeSMSConsent)
		case strings.HasSuffix(reason, "_TO_PUSH"), strings.HasSuffix(reason, "_FROM_PUSH"):
			list = append(list, world.ChangePushOptIn)
		case reason == "PUSH_TOKEN_ADDED":
			list = append(list, world.ChangePushToken)
		case strings.HasPrefix(reason, "EMAIL_ADDRESS_") && !strings.HasSuffix(reason, "_UPDATED"):
			list = append(list, world.ChangeEmailAddress)
		case strings.HasPrefix(reason, "PHONE_NUMBER_") && !strings.HasSuffix(reason, "_UPDATED"):
			list = append(list, world.ChangePhoneNumber)
		}
	}
	if len(c.Reasons) == 0 && c.IsOptIn != nil {
		list = append(list, world.ChangePushOptIn)
	}
	if len(c.Reasons) == 0 && c.IsReachable != nil && *c.IsReachable {
		list = append(list, world.ChangePushToken)
	}
	return list
}

// countChanges counts what of a person changed, of what a snapshot shows that they have.
func (b *base) countChanges(p *person) {
	type change struct {
		what, installation string
		at                 instant
	}
	known, changes := map[change]bool{}, map[string]float64{}
	for i := range p.events {
		e := &p.events[i]
		if e.Type != "reachability" {
			continue
		}
		b.times.changed[int64(e.Date)/3600] = true
		for _, what := range e.changed.what() {
			if one := (change{what, e.InstallID, e.Date}); !known[one] { // both interfaces tell of some
				known[one] = true
				changes[what]++
			}
		}
	}
	has := map[string]float64{}
	if its := p.profile; its != nil {
		has[world.ChangeEmailAddress] = flag(its.EmailAddress != "" || changes[world.ChangeEmailAddress] > 0)
		has[world.ChangePhoneNumber] = flag(its.PhoneNumber != "" || changes[world.ChangePhoneNumber] > 0)
		has[world.ChangeEmailConsent], has[world.ChangeSMSConsent] = has[world.ChangeEmailAddress], has[world.ChangePhoneNumber]
	}
	for _, each := range p.installations {
		has[world.ChangePushOptIn] += flag(each.InstallDate != 0)
	}
	has[world.ChangePushToken] = has[world.ChangePushOptIn]
	for _, what := range world.ChangeNames() {
		b.share(changeOf+what).add(changes[what], has[what])
	}
}

// longestPause is within which time files of changes that are not interrupted tell of any, in hours.
const longestPause = 7 * 24

// longestAbsence is how long files tell of changes at least that show as many tokens added as were lost, in hours: in the world, who
// loses one gets one within four weeks.
const longestAbsence = 27 * 24

// endChanges makes counts of changes those of four weeks, by how long the files tell of any. Who leaves a state returns to it, so two
// changes are one; of tokens, files tell of those that were added.
func (b *base) endChanges() {
	hours, last := 0.0, int64(0)
	for i, hour := range sortedHours(b.times.changed) {
		if i > 0 && hour-last <= longestPause {
			hours += float64(hour - last)
		}
		last = hour
	}
	for _, what := range world.ChangeNames() {
		part := hours / (28 * 24)
		if what != world.ChangePushToken {
			part *= 2
		}
		ofToken := what == world.ChangePushToken
		untold := (ofToken || what == world.ChangePushOptIn) && !b.has("profiles.reachability") // rows of the other interface show all flags, and not which changed
		if b.share(changeOf + what).scale(part); hours == 0 || untold || ofToken && hours < longestAbsence {
			delete(b.shares, changeOf+what)
		}
	}
}

func sortedHours(set map[int64]bool) []int64 {
	list := make([]int64, 0, len(set))
	for hour := range set {
		list = append(list, hour)
	}
	slices.Sort(list)
	return list
}

// countEnds counts which messages to a person ended a consent, an address or a token.
func (b *base) countEnds(messages []*message) {
	sent, ended := map[string]float64{}, map[string]float64{}
	for _, m := range messages {
		withdrawn := 0.0
		for event := range m.first {
			withdrawn = max(withdrawn, flag(b.journey.steps[event].Consent != ""))
		}
		switch m.channel {
		case "email":
			sent[world.ChangeEmailConsent]++
			ended[world.ChangeEmailConsent] += withdrawn
			ended[world.ChangeEmailAddress] += flag(m.hard)
		case "sms":
			sent[world.ChangeSMSConsent]++
			ended[world.ChangeSMSConsent] += withdrawn
		case "push":
			sent[world.ChangePushToken]++
			ended[world.ChangePushToken] += flag(m.hard)
		}
	}
	sent[world.ChangeEmailAddress] = sent[world.ChangeEmailConsent]
	for what, count := range sent {
		b.share(endOfOne+what).add(ended[what], count)
	}
}

// beginChanges finds out by which count each of the changes is learned.
func (l *Learned) beginChanges(d *draft) {
	isShown := func(name string) bool {
		s := l.base.share(name)
		return s.with >= l.Least && s.without >= l.Least
	}
	for _, what := range world.ChangeNames() {
		for _, name := range []string{changeOf + what, endOfOne + what} {
			if d.unlike.drivers[what] == "" && isShown(name) {
				d.unlike.drivers[what], d.unlike.changes[what] = name, world.UsualChange(what)
				if name == changeOf+what {
					d.unlike.changes[what] = min(l.base.share(name).rate(), world.MostChange(what))
				}
			}
		}
		if d.unlike.drivers[what] == "" {
			l.leave(changeOf+what, "the files do not show %d people of whom it changed, or do not list all who have it", l.Least)
		}
	}
	const what = world.ChangeEmailConsent
	if d.unlike.drivers[what] == changeOf+what && isShown(endOfOne+what) {
		usual := world.DefaultEndsByMessage
		d.unlike.byMessage = &usual
	} else {
		l.leave(endsByMessage, "the files do not show %d people who withdrew their consent to e-mails by one, and all other changes of it", l.Least)
	}
}

// withdrawn reports whether enough people did each of several things that withdraw a consent, such as one: so many do it of those.
func (b *base) withdrawn(event string, least int64) bool {
	alike := 0
	for name, step := range b.journey.steps {
		if step.Consent == b.journey.steps[event].Consent {
			if alike++; b.share(withdrawalOf+name).with < least {
				return false
			}
		}
	}
	return alike > 1
}

// rateName is the name of the rate of an event. That of a withdrawal counts against other withdrawals alone.
func (j *journey) rateName(event string) string {
	if j.steps[event].Consent != "" {
		return withdrawalOf + event
	}
	return rateOf + event
}

// says is how often a count would say that something happens, by the settings.
func (d *draft) says(what, name string) float64 {
	said := d.unlike.changes[what]
	if name == endOfOne+what && d.unlike.byMessage != nil {
		return said * *d.unlike.byMessage
	}
	if name == endOfOne+what {
		return said * world.DefaultEndsByMessage
	}
	return said
}

// correctChanges takes, of how often something is to happen, what trials showed of what their settings said.
func (d *draft) correctChanges(wanted, shown *base) {
	aims := map[string]float64{} // by count
	for what := range d.unlike.changes {
		for _, name := range []string{changeOf + what, endOfOne + what} {
			of := d.unlike.tried[name]
			if of == nil {
				of = &yield{}
				d.unlike.tried[name] = of
			}
			got := shown.share(name)
			if of.x, of.said = of.x+got.x, of.said+d.says(what, name)*got.n; of.x > 0 {
				aims[name] = wanted.share(name).rate() * of.said / of.x
			}
		}
	}
	for what, name := range d.unlike.drivers {
		aim, known := aims[name]
		if !known {
			continue
		}
		if name == endOfOne+what {
			aim /= world.DefaultEndsByMessage
		}
		d.unlike.changes[what] = min(aim, world.MostChange(what))
	}
	const what = world.ChangeEmailConsent
	if aim, known := aims[endOfOne+what]; known && d.unlike.byMessage != nil && d.unlike.changes[what] > 0 {
		*d.unlike.byMessage = min(aim/d.unlike.changes[what], 1)
	}
}

// roundChanges leaves three digits.
func (d *draft) roundChanges() {
	for what, value := range d.unlike.changes {
		d.unlike.changes[what] = min(report.Rounded(value), world.MostChange(what))
	}
	if d.unlike.byMessage != nil {
		*d.unlike.byMessage = min(report.Rounded(*d.unlike.byMessage), 1)
	}
}

// sets reports whether the draft determines a count.
func (u *unlike) sets(name string) bool {
	if channel, is := strings.CutPrefix(name, qualityOf); is {
		return u.quality[channel] != nil
	}
	for _, driver := range u.drivers {
		if driver == name {
			return true
		}
	}
	return u.byMessage != nil && name == endOfOne+world.ChangeEmailConsent
}

// names are those of what was learned.
func (u *unlike) names() (list []string) {
	for channel := range u.quality {
		list = append(list, qualityOf+channel)
	}
	for what := range u.changes {
		list = append(list, changeOf+what)
	}
	if u.byMessage != nil {
		list = append(list, endsByMessage)
	}
	return list
}
