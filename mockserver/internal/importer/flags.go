package importer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

const isReachable = "is_reachable"

// flagsOfInstallations are what a row of the legacy reachability export shows; one of them has changed.
var flagsOfInstallations = []string{isReachable, isOptIn, hasCustomID}

// findChanges leaves in changes of installations the flags that changed: rows show all of them, and a dataset takes each
// for a change. Installations get the flags that they had before. reasonsTold says that the files of
// profiles, which give reasons, are among those imported.
func (p *person) findChanges(reasonsTold bool) {
	byInstallation := map[string][]members{}
	for _, e := range p.events {
		if id := e.members.text(installID); e.members.text(eventType) == "reachability" && p.installations[id] != nil {
			byInstallation[id] = append(byInstallation[id], e.members)
		}
	}
	for id, events := range byInstallation {
		of := p.installations[id]
		slices.SortStableFunc(events, func(a, b members) int { return cmp.Compare(a.text(eventDate), b.text(eventDate)) })
		before := map[string]string{}
		for name, first := range of.seen {
			if first.date <= events[0].text(eventDate) {
				before[name] = string(first.value)
			}
		}
		changed := map[string]bool{} // by an event before
		for _, event := range events {
			change := changeOf(event, before, reasonsTold)
			for _, name := range flagsOfInstallations {
				value := event[name]
				if value == nil {
					continue
				}
				before[name] = string(value)
				switch {
				case !slices.Contains(change, name):
					if delete(event, name); of.members[name] == nil && !changed[name] {
						of.members[name] = value // it was so before
					}
				case !changed[name]:
					changed[name] = true
					of.members[name] = opposite(value)
				}
			}
		}
	}
}

// changeOf are the flags that a change is about: what its reasons say, what was otherwise before, or else what may have been.
func changeOf(event members, before map[string]string, reasonsTold bool) (change []string) {
	reasons := string(event["reasons"])
	if strings.Contains(reasons, "_TO_PUSH") || strings.Contains(reasons, "_FROM_PUSH") {
		change = append(change, isOptIn)
	}
	if strings.Contains(reasons, "PUSH_TOKEN_ADDED") {
		change = append(change, isReachable)
	}
	if len(change) > 0 {
		return change
	}
	var possible []string
	for _, name := range flagsOfInstallations {
		switch was, known := before[name]; {
		case event[name] == nil:
		case known && was != string(event[name]):
			change = append(change, name)
		case !known && !(reasonsTold && (name == isOptIn || name == isReachable && string(event[name]) == "true")):
			possible = append(possible, name) // profiles would tell of the others
		}
	}
	switch {
	case len(change) > 0:
		return change
	case len(possible) > 0 && string(event[possible[0]]) == "false":
		return possible[:1]
	case len(possible) > 0:
		return possible[len(possible)-1:]
	}
	return flagsOfInstallations
}

func opposite(value json.RawMessage) json.RawMessage { return flag(string(value) != "true") }
