package world

import "slices"

// lookback is how far back a profile's latest opens and clicks are searched:
// as far as an events export can tell of them (export API section 1).
const lookback = 90 * day

// latest tells when one of the named events last happened to the profile of a
// row, up to and at its time; 0: not within the lookback.
func (w *World) latest(scope Scope, names ...string) func(*Row) int64 {
	view, open := scope.Messages.(*messages)
	if !open {
		return func(*Row) int64 { return 0 }
	}
	var steps []int
	for i, name := range view.names {
		if slices.Contains(names, name) {
			steps = append(steps, i)
		}
	}
	return func(r *Row) int64 { return view.latestOf(r.Profile, steps, r.Time) }
}

func (v *messages) latestOf(profile int64, steps []int, now int64) int64 {
	last := int64(0)
	earliest := max(now-lookback, birth)
	for round := range int64(messagesPerProfile) {
		v.stream.visitRecipient(profile+round*v.audience.profiles, earliest, now+1, func(m *message) bool {
			if (m.week+1)*week+v.stream.reach() <= last {
				return false // nothing that follows can be later
			}
			for _, step := range steps {
				if at := v.stream.timeOf(m, step); at > last && at <= now && at >= earliest {
					if row, happened := v.rowOf(m, step); happened {
						last = max(last, row.Time)
					}
				}
			}
			return true
		})
	}
	for i := range v.farewells {
		last = max(last, v.farewells[i].latestOf(v, profile, steps, earliest, now))
	}
	return last
}

func (f *farewell) latestOf(v *messages, profile int64, steps []int, earliest, now int64) int64 {
	last := int64(0)
	timeline := v.world.timelineOf(f.line)
	for at := earliest; ; {
		at = timeline.nextChange(profile, at, now+f.reach+1)
		if at > now+f.reach {
			return last
		}
		row, happened := f.rowOf(v, change{thing: profile, at: at, state: timeline.at(profile, at)})
		if !happened || row.Profile != profile {
			continue
		}
		for _, part := range f.chain {
			if moment := at - part.before; slices.Contains(steps, part.step) && moment <= now && moment >= earliest {
				last = max(last, moment)
			}
		}
	}
}
