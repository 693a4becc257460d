package drift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// where is the place of a finding about this exchange.
func (c *conversation) where(side, pointer string) Place {
	return Place{Interface: c.route.its.Name, Route: c.route.name, Status: c.x.Status, Side: side, Pointer: pointer}
}

// endpoint holds an exchange with an endpoint against its schemas, and tells whether its body is a file that is kept to be checked.
func (c *conversation) endpoint() (keep bool) {
	var chosen schemas.Export
	var payload any
	var wrong []problem
	if c.route.stage == stageCreate {
		chosen, payload, wrong = c.payload()
		c.entry.Kind = chosen.Kind
	}
	if c.x.Status >= 400 {
		c.refusal(chosen, payload, wrong)
		return false
	}
	if c.x.Status != c.route.status && c.x.Status != 304 {
		f := Finding{Where: Place{Interface: c.route.its.Name, Route: c.route.its.Name + "." + c.route.stage, Status: c.x.Status, Side: Answer},
			Kind: "status", Severity: Medium, Allowed: fmt.Sprint(c.route.status), Came: fmt.Sprint(c.x.Status)}
		if c.route.stage == stageCreate {
			f.Overlay = c.o.bench.Status(c.route.its.Name, c.x.Status)
		}
		c.o.found(f)
	}
	return c.success(chosen, payload, wrong)
}

// sendsFile reports whether the answer to the request is the file itself: nobody looks such an export up.
func (c *conversation) sendsFile() bool {
	return c.route != nil && c.route.stage == stageCreate && c.route.response == "" && c.x.Status < 400
}

// payload reads what a creation asks for, and which of the kinds of the endpoint that is.
func (c *conversation) payload() (chosen schemas.Export, payload any, wrong []problem) {
	c.sent = text(c.x.Sent.Body)
	sent := c.sent
	if c.route.method == "GET" {
		query, _ := url.ParseQuery(c.x.To.Query) // what cannot be read is refused
		sent, _ = json.Marshal(exports.Asked(&c.route.exports[0], query, c.variables))
	} else {
		c.entry.SetBody([]byte(c.redactor.Text(sampleText(sent))), c.redactor, bodySeed)
	}
	payload, err := schemas.Decode(sent)
	if err != nil {
		return c.route.exports[0], nil, []problem{{Keyword: "json", Message: "no JSON"}}
	}
	if chosen, err = c.o.bench.Library().Choose(c.route.exports, payload); err != nil {
		chosen = c.route.exports[0]
	}
	return chosen, payload, amend.Problems(c.o.bench.Library(), chosen.Request, payload)
}

func sampleText(sent []byte) string {
	value, err := schemas.Decode(sent)
	if err != nil {
		return shape(string(sent[:min(len(sent), longestShape)]))
	}
	return sample(value)
}

// success holds a good answer against its schema.
func (c *conversation) success(chosen schemas.Export, payload any, wrong []problem) (keep bool) {
	c.credentialsSent()
	if fault := c.parameters(); fault != nil {
		c.o.found(*fault)
	}
	if c.route.stage == stageCreate && len(wrong) > 0 && payload != nil {
		where := c.where(Request, "")
		where.Route = chosen.Kind
		c.o.faults(where, chosen.Request, payload)
	}
	members, _ := payload.(map[string]any)
	if c.sendsFile() {
		c.countLimited(chosen, payload)
		c.to = link{export: &export{id: fmt.Sprint("exchange_", c.x.Number), key: c.entry.Key, kind: chosen, payload: members},
			its: c.route.its.Name, part: 1}
		return c.download()
	}
	if c.route.stage == stageDownload {
		c.redirected()
		return false
	}
	value, ok := c.answer()
	if !ok || c.x.To.Method == "HEAD" {
		return false
	}
	c.faultsOfRecord(value)
	its, _ := exports.DialectOf(c.o.bench.Library()).Named(c.route.its.Name)
	object, _ := value.(map[string]any)
	switch c.route.stage {
	case stageCreate:
		id := its.Identifiers.In(object)
		if id == "" {
			return false
		}
		c.entry.Export = id
		created := c.named(id) // a list may have shown it already
		created.key, created.kind, created.target = c.entry.Key, chosen, its.TargetOf(c.x.To.Path, c.variables)
		if members != nil {
			created.payload = members
		}
		c.window(created)
		c.countLimited(chosen, payload)
	case stageStatus:
		c.lookedUp(object)
	case stageList:
		c.listed(object)
	}
	return false
}

// answer is the JSON of the answer.
func (c *conversation) answer() (any, bool) {
	body := text(c.x.Received.Body)
	if c.x.Received.Body != nil && !c.x.Received.Body.Whole() || c.x.Broken || header(c.x.Received.Header, "Content-Encoding") != "" &&
		len(body) > 1 && body[0] == 0x1f {
		var err error
		if body, err = filetype.Text(body, mostRead); err != nil {
			return nil, false
		}
	}
	value, err := schemas.Decode(body)
	if err != nil {
		if c.x.To.Method != "HEAD" {
			c.o.found(Finding{Where: c.where(Answer, ""), Kind: "no-json", Severity: High, Allowed: "JSON",
				Came: fmt.Sprintf("%d bytes of %s", len(body), cmp.Or(media(c.x.Received.Header), "no type"))})
		}
		return nil, false
	}
	return value, true
}

// refusal holds a refusal against the errors of the interface, and against what the request deserved.
func (c *conversation) refusal(chosen schemas.Export, payload any, wrong []problem) {
	its := c.o.speaks(c.route.its.Name)
	value, ok := c.answer()
	if ok && c.otherShape(value, its.Errors) {
		ok = false
		c.entry.SetError(&journal.Refusal{Name: fmt.Sprint(c.x.Status), Message: "refused"}, c.redactor)
	}
	if ok {
		c.renamed(value)
		its = c.o.speaks(c.route.its.Name)
		object, _ := value.(map[string]any)
		name, _ := object[its.Errors.Name].(string)
		message, _ := object[its.Errors.Message].(string)
		c.entry.SetError(&journal.Refusal{Name: cmp.Or(name, fmt.Sprint(c.x.Status)), Code: numberOf(object[its.Errors.Number]),
			Message: c.sentence(message)}, c.redactor)
		c.branch(its.Errors.Name, its.Errors.Number, name, object)
		c.o.faults(c.where(Answer, ""), c.route.failure, value)
	}
	c.waits(its.Headers.RetryAfter)
	switch {
	case c.x.Status == 429:
		c.rateLimited(chosen, payload)
	case (c.x.Status == 400 || c.x.Status == 422) && c.route.stage == stageCreate && payload != nil && len(wrong) == 0 && c.sentJSON() &&
		!c.wouldRefuse(chosen, payload):
		where := c.where(Request, "")
		where.Route = chosen.Kind
		c.o.found(Finding{Where: where, Kind: "refused", Severity: High, Allowed: "the payload fits its schema", Came: c.entry.Reason(),
			Sample: sample(payload)})
	case (c.x.Status == 400 || c.x.Status == 422) && len(c.route.query) > 0 && c.parameters() == nil:
		c.o.found(Finding{Where: c.where(Request, "?"), Kind: "refused", Severity: High, Allowed: "the parameters fit their schemas",
			Came: c.entry.Reason(), Sample: shapeQuery(c.x.To.Query)})
	case (c.x.Status == 404 || c.x.Status == 410) && c.route.stage == stageStatus:
		c.forgotten()
	}
}

// renamed finds members of a refusal under another name, before the refusal is looked up by its name.
func (c *conversation) renamed(value any) {
	for _, fault := range amend.Problems(c.o.bench.Library(), c.route.failure, value) {
		if fault.Keyword == "additionalProperties" {
			c.o.fault(c.where(Answer, ""), c.route.failure, value, fault)
		}
	}
}

// otherShape finds a refusal that has no member of the errors of the interface.
func (c *conversation) otherShape(value any, errors dialect.Errors) bool {
	object, _ := value.(map[string]any)
	var names []string
	for _, name := range []string{errors.Number, errors.Name, errors.Message} {
		if _, there := object[name]; there {
			return false
		}
		if name != "" {
			names = append(names, name)
		}
	}
	if names == nil { // its schema has none, and says all
		return false
	}
	f := Finding{Where: c.everywhere(""), Kind: "error-shape", Severity: High, Allowed: "an object with " + strings.Join(names, ", "),
		Came: came(value), Sample: sample(value)}
	if namesShown(value) {
		f.Overlay = c.o.bench.Shape(c.route.failure, object)
	}
	c.o.found(f)
	return true
}

// namesShown tells whether all names in a value may stand in a schema file.
func namesShown(value any) bool {
	object, _ := value.(map[string]any)
	for name, member := range object {
		if memberName(name) != name || !namesShown(member) {
			return false
		}
	}
	return true
}

// sentence is a sentence of the service. Values that the request has are masked, and words that look like values.
func (c *conversation) sentence(said string) string {
	said = c.redactor.Text(said)
	payload, _ := schemas.Decode(c.sent)
	query, _ := url.ParseQuery(c.x.To.Query)
	values := textsIn(payload, nil)
	for _, each := range query {
		values = append(values, each...)
	}
	for _, each := range c.variables {
		values = append(values, each)
	}
	const shortest = 3
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, value := range values {
		if len(value) >= shortest {
			said = strings.ReplaceAll(said, value, shape(value))
		}
	}
	words := strings.Split(said, " ")
	for i, word := range words {
		if strings.ContainsAny(word, "@/") || digits(word) > mostDigits || len(word) > longestSymbol {
			words[i] = shape(word)
		}
	}
	return strings.Join(words, " ")
}

// textsIn are the texts and numbers in a value.
func textsIn(value any, texts []string) []string {
	switch of := value.(type) {
	case string:
		texts = append(texts, of)
	case json.Number:
		texts = append(texts, of.String())
	case []any:
		for _, item := range of {
			texts = textsIn(item, texts)
		}
	case map[string]any:
		for _, member := range of {
			texts = textsIn(member, texts)
		}
	}
	return texts
}

// sentJSON reports whether a payload was sent as JSON, or as nothing in particular: another media type is reason enough to refuse it.
func (c *conversation) sentJSON() bool {
	sent := media(c.x.Sent.Header)
	return sent == "" || strings.HasSuffix(sent, "json")
}

// numberOf is an integer of JSON; 0 for anything else.
func numberOf(value any) int {
	number, _ := strconv.Atoi(fmt.Sprint(value))
	return number
}

// branch holds name, number and status of a refusal against the list of errors.
func (c *conversation) branch(nameMember, numberMember, name string, object map[string]any) {
	if name == "" {
		return
	}
	branches := c.o.bench.Library().ErrorBranches(c.route.failure)
	number := numberOf(object[numberMember])
	at := slices.IndexFunc(branches, func(b schemas.ErrorBranch) bool { return b.Name == name && (numberMember == "" || b.Code == number) })
	f := Finding{Where: c.where(Answer, "/"+nameMember), Severity: Medium, Sample: sample(object),
		Came: fmt.Sprintf("%d %s", c.x.Status, shapeUnlessWord(name))}
	if number != 0 {
		f.Came += fmt.Sprint(" ", number)
	}
	switch {
	case at < 0 && !isWord(name):
		f.Kind, f.Allowed = "unknown-error:"+shape(name), "the errors of the schema file"
	case at < 0:
		var names []string
		for _, each := range branches {
			names = append(names, each.Name)
		}
		f.Kind, f.Allowed = "unknown-error:"+shapeUnlessWord(name), "one of "+strings.Join(slices.Compact(names), ", ")
		members, required := fmt.Sprintf(`%q: {"const": %q}`, nameMember, name), fmt.Sprintf("%q", nameMember)
		if numberMember != "" {
			members = fmt.Sprintf(`%q: {"const": %d}, `, numberMember, number) + members
			required = fmt.Sprintf("%q, ", numberMember) + required
		}
		f.Overlay = c.o.bench.Apply(amend.Add(c.route.failure, "/oneOf", fmt.Sprintf(`{
      "title": %q,
      "description": "Seen at the service.",
      "x-status": %d,
      "properties": {%s},
      "required": [%s]
    }`, name, c.x.Status, members, required)))
	case branches[at].Status != c.x.Status && !slices.ContainsFunc(branches,
		func(b schemas.ErrorBranch) bool { return b.Name == name && b.Status == c.x.Status }):
		f.Kind, f.Allowed = "status-of-error", fmt.Sprintf("%d for %s", branches[at].Status, name)
		f.Overlay = c.o.put(c.route.failure, fmt.Sprintf("/oneOf/%d", at), "x-status", strconv.Itoa(c.x.Status))
	default:
		return
	}
	c.o.found(f)
}

// redirected notes where a redirect leads.
func (c *conversation) redirected() {
	to := c.location()
	if to == nil {
		c.o.found(Finding{Where: c.where(Answer, "Location"), Kind: "missing-header", Severity: High, Allowed: "a Location", Came: "none"})
		return
	}
	from, known := c.o.past.links[c.x.To.Origin+c.x.To.Path+"?"+c.x.To.Query]
	if !known {
		return
	}
	c.entry.Export, c.entry.Part, c.entry.Key = from.export.id, from.part, from.export.key
	from.its, from.hop = c.route.its.Name, from.hop+1
	c.leads(to, from)
}
