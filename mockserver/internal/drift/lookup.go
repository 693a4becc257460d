package drift

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// faultsOfRecord holds an answer against its schema, unknown states first.
func (c *conversation) faultsOfRecord(value any) {
	object, _ := value.(map[string]any)
	switch c.route.stage {
	case stageStatus:
		c.states(c.route.response, object)
	case stageList:
		for _, record := range records(object) {
			c.states(c.recordSchema(), record)
		}
	}
	c.o.faults(c.where(Answer, ""), c.route.response, value)
}

// recordSchema is the schema of the records that a list shows: that of the lookup.
func (c *conversation) recordSchema() string {
	if lookup := c.o.lookupOf(c.route.its.Name); lookup != nil {
		return lookup.response
	}
	return c.route.response
}

// lookupOf is the endpoint that looks exports of an interface up; nil for none.
func (o *Observer) lookupOf(its string) *route {
	return routeThat(o.bench.Library(), func(r *route) bool { return r.stage == stageStatus && r.its.Name == its })
}

// records are the objects in the one list of a page.
func records(page map[string]any) (found []map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(page)) {
		items, _ := page[name].([]any)
		for _, item := range items {
			if record, is := item.(map[string]any); is {
				found = append(found, record)
			}
		}
	}
	return found
}

// stateMember is the member of a record that tells the state.
func (c *conversation) stateMember(schema string) string {
	return cmp.Or(c.o.bench.Library().MemberOf(schema, "record.status"), "status")
}

// states finds a state that the dialect does not have.
func (c *conversation) states(schema string, record map[string]any) {
	member := c.stateMember(schema)
	state, is := record[member].(string)
	its := c.o.speaks(c.route.its.Name)
	if !is || state == "" || roleOf(its, state) != "" {
		return
	}
	var names []string
	for _, each := range its.States {
		names = append(names, each.Name)
	}
	f := Finding{Where: c.where(Answer, "/"+member), Kind: "unknown-state:" + shapeUnlessWord(state), Severity: High,
		Allowed: "one of " + strings.Join(names, ", "), Came: word(state), Sample: sample(record)}
	role := c.guessRole(record)
	item := fmt.Sprintf(`{"name": %q, "role": %q}`, state, role)
	first := func(roles ...string) string { // the state that has one of them
		at := slices.IndexFunc(its.States, func(s dialect.State) bool { return slices.Contains(roles, s.Role) })
		return fmt.Sprintf("/x-interface/states/%d", at)
	}
	switch {
	case !isWord(state): // it may be anything
	case role == dialect.RoleExpired:
		f.Overlay = c.o.bench.Apply(amend.Add(its.File, "/x-interface/states", item))
	case role == dialect.RoleRunning:
		f.Overlay = c.o.bench.Apply(amend.Insert(its.File, first(dialect.RoleDone, dialect.RoleFailed), item))
	default:
		f.Overlay = c.o.put(its.File, first(role), "name", fmt.Sprintf("%q", state))
	}
	c.o.found(f)
}

// guessRole guesses the role of a state by the members beside it, and by the state before.
func (c *conversation) guessRole(record map[string]any) string {
	id, _ := record["id"].(string)
	if of := c.o.past.exports[cmp.Or(c.identifier(), id)]; of != nil && of.role == dialect.RoleDone && len(linksIn(record)) == 0 {
		return dialect.RoleExpired
	}
	for name, value := range record {
		if strings.Contains(strings.ToLower(name), "error") && value != nil {
			return dialect.RoleFailed
		}
	}
	if len(linksIn(record)) > 0 {
		return dialect.RoleDone
	}
	return dialect.RoleRunning
}

// roleOf is what a state of an interface means; "" for one that it does not have.
func roleOf(its dialect.Interface, state string) string {
	for _, each := range its.States {
		if each.Name == state {
			return each.Role
		}
	}
	return ""
}

// linksIn are the addresses in a record, in the order of its files; alone or in lists; those in the echo of the request are none.
func linksIn(record map[string]any) (found []string) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		switch v := record[name].(type) {
		case string:
			if strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
				found = append(found, v)
			}
		case []any:
			for _, item := range v {
				switch each := item.(type) {
				case map[string]any:
					found = append(found, linksIn(each)...)
				case string:
					found = append(found, linksIn(map[string]any{"": each})...)
				}
			}
		}
	}
	return found
}

// lookedUp notes what a lookup has told of an export.
func (c *conversation) lookedUp(record map[string]any) {
	id := c.identifier()
	if id == "" {
		return
	}
	seen := c.seen(id, record)
	c.entry.Export, c.entry.Kind, c.entry.ExportStatus = id, seen.kind.Kind, c.stateOf(record)
	c.entry.Parts = c.link(seen, record)
	c.window(seen)
}

// stateOf is the state in a record, as it may be kept.
func (c *conversation) stateOf(record map[string]any) string {
	state, _ := record[c.stateMember(c.recordSchema())].(string)
	return shapeUnlessWord(state)
}

// listed notes what a list has told of exports.
func (c *conversation) listed(page map[string]any) {
	c.entry.Listed = []journal.Listed{}
	for _, record := range records(page) {
		id, _ := record["id"].(string)
		if id == "" {
			continue
		}
		seen := c.seen(id, record)
		parts := c.link(seen, record)
		if len(c.entry.Listed) < journal.MostListed {
			c.entry.Listed = append(c.entry.Listed, journal.Listed{Export: id, Status: c.stateOf(record), Parts: parts})
		}
	}
}

// identifier is the export that a lookup is about; "" for other requests.
func (c *conversation) identifier() string {
	if c.route.stage != stageStatus {
		return ""
	}
	for name, value := range c.variables {
		if name != c.route.its.KeyVariable {
			return value
		}
	}
	query, _ := url.ParseQuery(c.x.To.Query)
	for _, parameter := range c.route.query {
		if parameter.Required {
			return query.Get(parameter.Name)
		}
	}
	return ""
}

// named is what is known of an export that an answer names.
func (c *conversation) named(id string) *export {
	e := c.o.past.exports[id]
	if e == nil {
		e = &export{id: id, key: c.entry.Key, since: c.x.Answered}
		c.o.past.exports[id] = e
	}
	if c.x.Answered.Before(e.since) {
		e.since = c.x.Answered
	}
	return e
}

// seen notes the state of an export, and finds one that goes backwards. Answers may be observed in another order than that in
// which the service gave them, if they overlapped: only one to a request that began when the other was there tells.
func (c *conversation) seen(id string, record map[string]any) *export {
	its := c.o.speaks(c.route.its.Name)
	e := c.named(id)
	state, _ := record[c.stateMember(c.recordSchema())].(string)
	role := roleOf(its, state)
	order := []string{dialect.RoleWaiting, dialect.RoleRunning, dialect.RoleDone, dialect.RoleFailed, dialect.RoleExpired}
	before, after := slices.Index(order, e.role), slices.Index(order, role)
	ended := e.role == dialect.RoleDone && role == dialect.RoleFailed
	back := e.role != "" && role != "" && (after < before || ended)
	if back && c.x.Began.Before(e.shown) { // the two ran at once, and this one was answered first
		return e
	}
	if back {
		c.o.found(Finding{Where: c.where(Lifecycle, shapeUnlessWord(e.state)+" -> "+shapeUnlessWord(state)), Kind: "transition", Severity: High,
			Allowed: "nothing before " + e.state + " comes after it", Came: shapeUnlessWord(state)})
	}
	if role != e.role && role != "" || e.shown.IsZero() || c.x.Answered.Before(e.shown) {
		e.shown = c.x.Answered
	}
	e.state, e.role = shapeUnlessWord(state), cmp.Or(role, e.role)
	for name, value := range record {
		if moment, is := momentOf(value); is && strings.Contains(name, "date") {
			if moment.After(c.o.past.newest) {
				c.o.past.newest, c.o.past.newestAt = moment, c.x.Began
			}
			if name == "request_date" {
				e.asked = moment
			}
		}
	}
	return e
}

func momentOf(value any) (time.Time, bool) {
	written, _ := value.(string)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if moment, err := time.Parse(layout, written); err == nil {
			return moment, true
		}
	}
	return time.Time{}, false
}

// link notes where the links of a record lead to, and how.
func (c *conversation) link(of *export, record map[string]any) int {
	if of.role != dialect.RoleDone {
		return 0
	}
	links := linksIn(record)
	routes := routesOf(c.o.bench.Library())
	for i, address := range links {
		to, err := url.Parse(address)
		if err != nil {
			continue
		}
		its := link{export: of, its: c.route.its.Name, part: i + 1}
		origin := to.Scheme + "://" + to.Host
		if found, _ := match(routes, "GET", to.EscapedPath()); found != nil && found.stage == stageDownload {
			c.o.past.links[origin+to.EscapedPath()+"?"+to.RawQuery] = its
			continue
		}
		c.leads(to, its)
	}
	return len(links)
}

// issued notes when a link was named first.
func (c *conversation) issued(to *url.URL) {
	past, name := &c.o.past, to.Scheme+"://"+to.Host+to.EscapedPath()+"?"+to.RawQuery
	if past.used[name] == nil {
		past.used[name], past.issued = &used{issued: c.x.Answered}, append(past.issued, name)
	}
	if len(past.issued) > mostUsed {
		delete(past.used, past.issued[0])
		past.issued = past.issued[1:]
	}
}

// linkStyle finds links of the other kind than the dialect has.
func (c *conversation) linkStyle(style, cameAs string) {
	name := c.interfaceName()
	its := c.o.speaks(name)
	f := Finding{Where: Place{Interface: name, Route: name + ".link", Side: Answer, Pointer: "link"}, Kind: "link-style:" + style,
		Severity: High, Allowed: "a link that is " + its.Files.Link, Came: cameAs}
	f.Overlay = c.o.put(its.File, "/x-interface/files", "link", `"`+style+`"`)
	c.o.found(f)
}

// plan is what the schema files say of a window; the error is a refusal.
func (o *Observer) plan(kind string, payload exports.Members, now time.Time) (exports.Window, error) {
	export, known := o.exportOf(kind)
	if !known {
		return exports.Window{}, nil
	}
	plan, err := exports.Planner{}.Plan(export, nil, "", payload, now)
	return plan.File.Window, err
}

// window finds a window that was taken although the schema files refuse it.
func (c *conversation) window(of *export) {
	if of.told || of.payload == nil || of.asked.IsZero() || of.kind.Kind == "" {
		return
	}
	of.told = true
	if len(amend.Problems(c.o.bench.Library(), of.kind.Request, map[string]any(of.payload))) > 0 {
		return
	}
	window, err := c.o.plan(of.kind.Kind, of.payload, of.asked)
	if err == nil {
		of.window = window
		return
	}
	f := Finding{Where: Place{Interface: c.route.its.Name, Route: of.kind.Kind, Status: 202, Side: Request, Pointer: "/from"},
		Kind: "window-accepted", Severity: Medium,
		Allowed: "no window that begins before the lookback", Came: "one that was accepted", Sample: sample(map[string]any(of.payload))}
	if of.kind.LookbackPolicy == "refuse" {
		f.Overlay = c.o.put(of.kind.Output, "/x-export", "lookbackPolicy", `"clip"`)
	}
	c.o.found(f)
}

// wouldRefuse tells whether the schema files refuse a valid payload too, for its window.
func (c *conversation) wouldRefuse(chosen schemas.Export, payload any) bool {
	members, _ := payload.(map[string]any)
	for _, now := range []time.Time{c.o.past.newest, c.x.Began} {
		if _, err := c.o.plan(chosen.Kind, members, now); err != nil && !now.IsZero() {
			return true
		}
	}
	return false
}

// forgotten finds an export that was known and is not any more.
func (c *conversation) forgotten() {
	of := c.o.past.exports[c.identifier()]
	if of == nil || of.key != c.entry.Key || c.x.Began.Before(of.since) { // it may not have been there yet
		return
	}
	its := c.o.speaks(c.route.its.Name)
	age := c.o.past.newest.Sub(of.asked).Truncate(time.Hour)
	if of.asked.IsZero() {
		age = 0
	}
	age = max(age, c.x.Answered.Sub(of.since).Truncate(time.Hour)) // nothing else may have named a later moment
	if its.Retention > 0 && age >= its.Retention {
		return
	}
	f := Finding{Where: c.where(Lifecycle, "retention"), Kind: "forgotten", Severity: High, Allowed: "an export is known",
		Came: fmt.Sprintf("unknown after %v", age)}
	if its.Retention > 0 {
		f.Allowed += fmt.Sprintf(" for %v", its.Retention)
	}
	if age >= time.Hour {
		f.Overlay = c.o.put(its.File, "/x-interface", "retention", fmt.Sprintf(`"PT%dH"`, int(age.Hours())))
	}
	c.o.found(f)
}
