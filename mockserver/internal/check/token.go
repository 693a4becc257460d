package check

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// pushTokens are those of the installations of a profile, by platform: events of push messages say no more of an installation.
type pushTokens struct {
	single map[string]bool       // whether the profile has one installation of the platform; missing: not known
	dead   map[string]occurrence // the first hard bounce
	known  map[string][]moment   // when there was a token
	sent   map[string]moment     // when a message was sent last
}

func newPushTokens() pushTokens {
	return pushTokens{map[string]bool{}, map[string]occurrence{}, map[string][]moment{}, map[string]moment{}}
}

// singlePlatforms are the platforms of which there is one installation, and behind a minus those of which there are more.
func singlePlatforms(items []subscription) string {
	times := map[string]int{}
	for _, item := range items {
		times[item.platform]++
	}
	var found []string
	for of, count := range times {
		if count > 1 {
			of = "-" + of
		}
		found = append(found, of)
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

// addSnapshot notes what a snapshot shows of the installations of the profile.
func (t *pushTokens) addSnapshot(r *row) {
	for _, of := range strings.Fields(r.value(platform)) {
		name, several := strings.CutPrefix(of, "-")
		before, known := t.single[name]
		t.single[name] = !several && (before || !known)
	}
}

// collectToken passes on to the sweep over profiles that an installation has a token, and that of each profile that a snapshot shows.
func (s *installationSweep) collectToken(r *row) {
	told := map[string]bool{}
	for _, shown := range s.snapshots {
		id, of := shown.value(profileID), shown.value(platform)
		if id == "" || of == "" || told[id] {
			continue
		}
		told[id] = true
		about := row{place: r.place, class: snapshotRow, time: r.time} // before the events
		about.set(platform, of)
		if err := s.collect(s.engine.profiles, id, &about, tokenValues); err != nil {
			s.stopped = err
		}
	}
}

// checkToken checks an event of a push message: a token is used no more once a message bounced from it for good.
func (s *profileSweep) checkToken(r *row, sent bool) {
	of := r.value(platform)
	if last, before := s.tokens.sent[of]; sent && before && last == r.time {
		s.tokens.single[of] = false // another installation, which left the profile before the snapshot
	} else if sent {
		s.tokens.sent[of] = r.time
	}
	gone, found := s.tokens.dead[of]
	if !s.tokens.single[of] || !found && r.value(bounceType) != "hard" {
		return
	}
	if !found || slices.ContainsFunc(s.tokens.known[of], func(token moment) bool { return token >= gone.time && token <= r.time }) {
		delete(s.tokens.dead, of)
		if r.value(bounceType) == "hard" {
			s.tokens.dead[of] = occurrence{r.time, r.place}
			s.assert(rules.Ended, true, r.place, nil, "")
		}
		return
	}
	if !sent || r.time <= gone.time {
		return
	}
	covers := func(f *file) bool {
		return f.export.View == vocabulary.ViewInstallationChanges && f.known.has(installationID) && f.known.has(isReachable) &&
			s.coverage.covers(f.streamName(), changeOfFlags, gone.time, r.time)
	}
	if !slices.ContainsFunc(s.files, covers) {
		s.note(rules.Ended,
			"no reachability.events file covers some of the time after a push message that bounced for good: there may be another token")
		return
	}
	s.assert(rules.Ended, false, r.place, &gone.at,
		"%s at %s to the installation whose token bounced for good at %s, and nothing says that it has another",
		r.value(eventType), r.time, gone.time)
}
