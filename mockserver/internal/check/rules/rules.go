// Package rules is the list of what check verifies.
package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Rule is one rule of coherence.
type Rule struct {
	// Name is what findings call it, such as time-order.
	Name string `json:"name"`
	// About says in a sentence what holds.
	About string `json:"about"`
	// Needs says what the files must show for it to be checked.
	Needs string `json:"needs"`
	// Innocent says when files of the real service may break it without being wrong; "" for never.
	Innocent string `json:"innocent,omitempty"`
}

// The names of the rules.
const (
	Schema       = "schema"
	TimeOrder    = "time-order"
	Floor        = "not-before"
	Lookback     = "lookback"
	Future       = "future"
	Window       = "window"
	Creation     = "creation"
	Duplicates   = "duplicates"
	Tiling       = "tiling"
	Profile      = "profile-identifiers"
	Installation = "installation-identifiers"
	Link         = "link"
	Contact      = "contact"
	Journey      = "journey"
	Exclusion    = "exclusion"
	Unsubscribed = "unsubscribed"
	Latest       = "latest"
	Consent      = "consent"
	Change       = "change"
	Projection   = "projection"
	Places       = "places"
	Starts       = "starts"
	Ended        = "ended"
	Sendings     = "sendings"
)

// all are in the order of the summary.
var all = []Rule{
	{Schema, "every row conforms to the schema of its file", "a file with rows", ""},
	{TimeOrder, "the rows of a file are in order of time", "a file of events with two rows", "the specification promises no order"},
	{Floor, "no event lies before the first one that the export can have", "a profiles.reachability file", ""},
	{Lookback, "the events of one file span no more than the lookback of its export", "a file of events", ""},
	{Future, "no date lies after the present", "a date, and the present (--now)",
		"files of a mock server whose clock was moved: give its time with --now"},
	{Window, "the events of a file lie in its window: from is inside, to is not", "the window of a file of events (--window)", ""},
	{Creation, "nothing happens to a profile before its creation, or to an installation before it was installed",
		"the date of creation or installation, and another date of the same profile or installation", "imported data"},
	{Duplicates, "no file holds the same thing twice: a profile, an installation, a recipient or an event",
		"a file whose rows name an installation or a profile", ""},
	{Tiling, "files of one export hold the same rows for the time that they share, and no row twice when their windows only touch",
		"two files of events of one export that share some time",
		"two requests that asked for different things, such as another application key"},
	{Profile, "a profile has one custom identifier at most, and a custom identifier one profile",
		"two rows with the same profile_id or the same custom_id", "a profile whose custom identifier was changed by hand"},
	{Installation,
		"an installation keeps its custom identifier, unless it was unlinked in between, its advertising identifier, its " +
			"platform, and its date " +
			"of installation",
		"two rows of one installation that show the same column",
		"an advertising identifier that was reset, or a device that changed hands without a row that shows it unlinked"},
	{Link, "custom_id is present if and only if has_custom_id is true", "a reachability.events file with custom_id", ""},
	{Contact, "a profile's e-mail address and telephone number stay the same until a reachability event says that they changed",
		"two rows with an address of one profile, and a profiles.reachability file that covers the time between them", ""},
	{Journey, "sent before delivered before open before click: an event follows its cause, which the files hold if they cover it",
		"two events of one message, or an event whose files cover the time in which its cause must lie", ""},
	{Exclusion, "a message that bounced or failed was not delivered or opened", "two outcomes of one message",
		"a soft bounce that was retried"},
	{Unsubscribed, "no message reaches a profile or an installation between a withdrawal of consent and the next consent",
		"a withdrawal, and a later message in the same channel, with reachability files that cover the time between them",
		"transactional messages, which need no consent, and opens of messages that had arrived before"},
	{Latest, "$last_* attributes tell the latest such event, and none is later than they say",
		"a profiles.attributes file with $last_* attributes and a profiles.events file with opens or clicks",
		"opens of transactional messages when $last_email_transactional_open is not in the file"},
	{Consent, "consent attributes, addresses and opt-ins are those of the latest reachability event",
		"a snapshot, and reachability files that reach up to the moment that it may show (--window tells it)", ""},
	{Change, "a reachability row means that a flag changed, and shows it as its reasons say", "a reachability file", ""},
	{Projection, "an ids file lists exactly the installations and event types of the events file of the same campaign and window",
		"an ids file and the events file of the same campaign (--campaign) with install_id in both", ""},
	{Places, "region, language, time zone and the country of the telephone number agree",
		"two of $region, $language, $timezone, $phone_number and phone_country of one profile", "people who live abroad"},
	{Starts,
		"nothing happens in the app after its last start, or after the last visit: a push message opened, an in-app message shown, " +
			"clicked or closed",
		"last_start_date of an installation or $last_visit_date of a profile, and such an event before the moment that the snapshot shows",
		"a device that told of its start later than of the event"},
	{Ended,
		"no message goes to an e-mail address that an earlier one bounced from for good",
		"a hard bounce and a later message of the same profile", "a mailbox that was opened again"},
	{Sendings,
		"a push message that a campaign or a transactional group lists is one of the EVENTS export, in the same second and with the same outcome",
		"legacy events of push messages and a profiles.events file that covers their time, both with custom_id",
		"campaigns of another project, and datasets that name a campaign or a group and no orchestration"},
}

// All returns every rule in order. The caller owns the slice.
func All() []Rule { return slices.Clone(all) }

// Choose turns a list of names into the set of rules to check; a name behind a minus is left out. An empty list is all of them.
func Choose(names []string) (map[string]bool, error) {
	chosen := map[string]bool{}
	var known []string
	for _, rule := range all {
		known = append(known, rule.Name)
	}
	everything := true
	for _, name := range names {
		everything = everything && strings.HasPrefix(name, "-")
	}
	for _, name := range known {
		chosen[name] = everything
	}
	for _, name := range names {
		plain, out := strings.CutPrefix(name, "-")
		if _, found := chosen[plain]; !found {
			hint := ""
			if likely := schemas.Likely(plain, known); likely != "" {
				hint = ", did you mean " + likely + "?"
			}
			return nil, fmt.Errorf("there is no rule %q%s; the rules are %s", plain, hint, strings.Join(known, ", "))
		}
		chosen[plain] = !out
	}
	return chosen, nil
}
