package world

// farewell is the last message before a withdrawal of consent: the withdrawal
// is a change of the consent timeline, and most of them are the final step of
// a message whose earlier steps are placed before it. So what the events
// export and the reachability export tell is one thing.
type farewell struct {
	line  changeKind
	chain []farewellStep // from the first step to the withdrawal
	reach int64          // seconds from the first step to the withdrawal
}

type farewellStep struct {
	step   int
	before int64 // seconds before the withdrawal
}

// viaMessage is the share of withdrawals that come from a message; the others
// are made in the account settings.
var viaMessage = chanceOf(0.7)

func (w *World) farewellsOf(j *journey) []farewell {
	var found []farewell
	for i, s := range j.steps {
		if !s.consent {
			continue
		}
		made := farewell{line: changeEmailConsent}
		if s.channel == channelSMS {
			made.line = changeSMSConsent
		}
		before := int64(0)
		for at := i; at >= 0; at = j.steps[at].parent {
			made.chain = append(made.chain, farewellStep{at, before})
			made.reach = before
			before += int64(j.steps[at].delay*0.7) + 1
		}
		found = append(found, made)
	}
	return found
}

func (f *farewell) append(rows []Row, v *messages, from, to int64) []Row {
	line := v.world.timelineOf(f.line)
	for _, part := range f.chain {
		if v.wanted>>part.step&1 == 0 {
			continue
		}
		line.changes(from+part.before, to+part.before, func(c change) {
			if row, happened := f.rowOf(v, c); happened {
				row.Time, row.Event = c.at-part.before, int32(part.step)
				rows = append(rows, row)
			}
		})
	}
	return rows
}

// visitOf calls visit for every step of the farewell messages to one profile
// that happens in [from, to).
func (f *farewell) visitOf(v *messages, profile, from, to int64, visit func(Row)) {
	line, limit := v.world.timelineOf(f.line), to+f.reach
	for at := line.nextChange(profile, from-1, limit); at < limit; at = line.nextChange(profile, at, limit) {
		row, happened := f.rowOf(v, change{thing: profile, at: at, state: line.at(profile, at)})
		if !happened {
			continue
		}
		for _, part := range f.chain {
			if row.Time = at - part.before; row.Time >= from && row.Time < to {
				row.Event = int32(part.step)
				visit(row)
			}
		}
	}
}

// rowOf is the farewell message of a withdrawal, when there is one.
func (f *farewell) rowOf(v *messages, c change) (Row, bool) {
	key := draw(farewellKey(f.line), uint64(c.thing)) ^ uint64(c.at)
	if c.state || !viaMessage.holds(mix(key)) || c.at-f.reach < birth || !v.world.createdBefore(c.thing, c.at-f.reach) {
		return Row{}, false
	}
	w, sent := v.world, c.at-f.reach
	present := changeEmailPresent
	if f.line == changeSMSConsent {
		present = changePhonePresent
	}
	if !w.timelineOf(f.line).at(c.thing, sent) || !w.timelineOf(present).at(c.thing, sent) ||
		w.timelineOf(f.line).nextChange(c.thing, sent, c.at) < c.at || w.timelineOf(present).nextChange(c.thing, sent, c.at+1) <= c.at {
		return Row{}, false
	}
	root := v.stream.journey.steps[f.chain[0].step].root
	orchestration := below(mix(key+1), int64(len(v.stream.orchestrations)))
	for tries := len(v.stream.orchestrations); v.stream.orchestrations[orchestration].root != root; tries-- {
		if tries == 0 {
			return Row{}, false // nobody sends such messages
		}
		orchestration = (orchestration + 1) % int64(len(v.stream.orchestrations))
	}
	return Row{Profile: c.thing, Installation: -1, Message: key, Orchestration: int32(orchestration), after: changeKinds}, true
}

func farewellKey(kind changeKind) uint64 { return mix(uint64(kind) + 101) }
