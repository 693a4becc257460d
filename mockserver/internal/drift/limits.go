package drift

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// limited are the creations of one key and kind that may count against a limit, and those that were refused by one. How many
// were taken before a refusal is known at the end only: creations overlap, and are observed after a refusal that came later.
type limited struct {
	taken   []time.Time // when they began, at most mostLimited of them
	more    int         // those beyond
	refused []refusedOne
}

// refusedOne is a creation that was refused by a limit.
type refusedOne struct {
	where  Place
	chosen schemas.Export
	counts bool // against the limit of the schema files
	every  int  // so many seconds the answer asks to wait
	number uint64
	at     time.Time
}

// mostLimited is how many creations, and how many refusals, are remembered for each key and kind.
const mostLimited = 1000

// counts reports whether a creation counts against a limit, and what is known of those that do so with it.
func (c *conversation) counts(chosen schemas.Export, payload any) (its *limited, limit *schemas.RateLimit) {
	limit = chosen.RateLimit
	members, _ := payload.(map[string]any)
	if limit != nil && limit.When != "" {
		if _, there := members[limit.When]; !there {
			limit = nil
		}
	}
	name := c.entry.Key + "\x00" + chosen.Kind + fmt.Sprint(limit != nil)
	if c.o.past.limited[name] == nil {
		c.o.past.limited[name] = &limited{}
	}
	return c.o.past.limited[name], limit
}

func (c *conversation) countLimited(chosen schemas.Export, payload any) {
	its, _ := c.counts(chosen, payload)
	if len(its.taken) == mostLimited {
		its.more++
		return
	}
	its.taken = append(its.taken, c.x.Began)
}

// rateLimited notes a refusal by a limit.
func (c *conversation) rateLimited(chosen schemas.Export, payload any) {
	if c.route.stage != stageCreate || payload == nil {
		return
	}
	its, limit := c.counts(chosen, payload)
	if len(its.refused) == mostLimited {
		return
	}
	where := c.where(Request, "x-rate-limit")
	where.Route = chosen.Kind
	its.refused = append(its.refused, refusedOne{where: where, chosen: chosen, counts: limit != nil, every: max(c.entry.RetryAfter, 1),
		number: c.o.number, at: c.x.Answered})
}

// before is how many may have been taken before a moment, at most: whoever had asked by then may have been first.
func (l *limited) before(moment time.Time) (made int) {
	for _, began := range l.taken {
		if began.Before(moment) || moment.IsZero() { // nobody noted when
			made++
		}
	}
	if made == len(l.taken) {
		made += l.more
	}
	return made
}

// limits finds limits that come earlier than the schema files say, or where they say none.
func (o *Observer) limits() {
	for _, name := range slices.Sorted(maps.Keys(o.past.limited)) {
		its := o.past.limited[name]
		for _, each := range its.refused {
			o.number = each.number
			o.limit(each, its.before(each.at))
		}
		its.refused = nil
	}
}

// limit finds a refusal after so many creations.
func (o *Observer) limit(each refusedOne, made int) {
	f := Finding{Where: each.where, Kind: "rate-limit", Severity: Medium, Allowed: "no limit", Came: "refused after " + ordinal(made)}
	every, when := each.every, ""
	if limit := each.chosen.RateLimit; limit != nil && each.counts {
		if made >= limit.Burst {
			return
		}
		f.Allowed = ordinal(limit.Burst)
		if every = int(limit.Every.Seconds()); limit.When != "" {
			when = fmt.Sprintf(`"when": %q, `, limit.When)
		}
	}
	f.Overlay = o.put(each.chosen.Request, "", "x-rate-limit", fmt.Sprintf(`{%s"burst": %d, "every": "PT%dS"}`, when, max(made, 1), every))
	o.found(f)
}
