package check

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
	ruleSchema       = "schema"
	ruleTimeOrder    = "time-order"
	ruleFloor        = "not-before"
	ruleLookback     = "lookback"
	ruleFuture       = "future"
	ruleWindow       = "window"
	ruleCreation     = "creation"
	ruleDuplicates   = "duplicates"
	ruleTiling       = "tiling"
	ruleProfile      = "profile-identifiers"
	ruleInstallation = "installation-identifiers"
	ruleLink         = "link"
	ruleContact      = "contact"
	ruleJourney      = "journey"
	ruleExclusion    = "exclusion"
	ruleUnsubscribed = "unsubscribed"
	ruleLatest       = "latest"
	ruleConsent      = "consent"
	ruleChange       = "change"
	ruleProjection   = "projection"
	rulePlaces       = "places"
)

// rules are in the order of the summary.
var rules = []Rule{
	{ruleSchema, "every row conforms to the schema of its file", "a file with rows", ""},
	{ruleTimeOrder, "the rows of a file are in order of time", "a file of events with two rows", "the specification promises no order"},
	{ruleFloor, "no event lies before the first one that the export can have", "a profiles.reachability file", ""},
	{ruleLookback, "the events of one file span no more than the lookback of its export", "a file of events", ""},
	{ruleFuture, "no date lies after the present", "a date, and the present (--now)", ""},
	{ruleWindow, "the events of a file lie in its window: from is inside, to is not", "the window of a file of events (--window)", ""},
	{ruleCreation, "nothing happens to a profile before its creation, or to an installation before it was installed",
		"the date of creation or installation, and another date of the same profile or installation", "imported data"},
	{ruleDuplicates, "no file holds the same thing twice: a profile, an installation, a recipient or an event",
		"a file whose rows name an installation or a profile", ""},
	{ruleTiling, "files of one export hold the same rows for the time that they share, and no row twice when their windows only touch",
		"two files of events of one export that share some time", "two requests that asked for different things, such as another application key"},
	{ruleProfile, "a profile has one custom identifier at most, and a custom identifier one profile",
		"two rows with the same profile_id or the same custom_id", "a profile whose custom identifier was changed by hand"},
	{ruleInstallation, "an installation keeps its custom identifier, unless it was unlinked in between, its advertising identifier, its platform, and its date of installation",
		"two rows of one installation that show the same column", "an advertising identifier that was reset, or a device that changed hands without a row that shows it unlinked"},
	{ruleLink, "custom_id is present if and only if has_custom_id is true", "a reachability.events file with custom_id", ""},
	{ruleContact, "a profile's e-mail address and telephone number stay the same until a reachability event says that they changed",
		"two rows with an address of one profile, and a profiles.reachability file that covers the time between them", ""},
	{ruleJourney, "sent before delivered before open before click: an event follows its cause, which the files hold if they cover it",
		"two events of one message, or an event whose files cover the time in which its cause must lie", ""},
	{ruleExclusion, "a message that bounced or failed was not delivered or opened", "two outcomes of one message", "a soft bounce that was retried"},
	{ruleUnsubscribed, "no message reaches a profile or an installation between a withdrawal of consent and the next consent",
		"a withdrawal, and a later message in the same channel, with reachability files that cover the time between them",
		"transactional messages, which need no consent, and opens of messages that had arrived before"},
	{ruleLatest, "$last_* attributes tell the latest such event, and none is later than they say",
		"a profiles.attributes file with $last_* attributes and a profiles.events file with opens or clicks", "opens of transactional messages when $last_email_transactional_open is not in the file"},
	{ruleConsent, "consent attributes, addresses and opt-ins are those of the latest reachability event",
		"a snapshot, and reachability files that reach up to the moment that it may show (--window tells it)", ""},
	{ruleChange, "a reachability row means that a flag changed, and shows it as its reasons say", "a reachability file", ""},
	{ruleProjection, "an ids file lists exactly the installations and event types of the events file of the same campaign and window",
		"an ids file and the events file of the same campaign (--campaign) with install_id in both", ""},
	{rulePlaces, "region, language, time zone and the country of the telephone number agree",
		"two of $region, $language, $timezone, $phone_number and phone_country of one profile", "people who live abroad"},
}

// Rules returns every rule in order. The caller owns the slice.
func Rules() []Rule { return slices.Clone(rules) }

// choose turns a list of names into the set of rules to check; a name behind a minus is left out. An
// empty list is all of them.
func choose(names []string) (map[string]bool, error) {
	chosen := map[string]bool{}
	var known []string
	for _, rule := range rules {
		known = append(known, rule.Name)
	}
	all := true
	for _, name := range names {
		all = all && strings.HasPrefix(name, "-")
	}
	for _, name := range known {
		chosen[name] = all
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

// KnownRule is an error for a name that [Options].Rules must not hold; it suggests a similar one.
func KnownRule(name string) error {
	_, err := choose([]string{name})
	return err
}
