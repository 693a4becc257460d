package drift

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// interfaceName is that of the endpoint, or of the link.
func (c *conversation) interfaceName() string {
	if c.route != nil {
		return c.route.its.Name
	}
	return c.to.its
}

// location is where a redirect leads; nil for nowhere.
func (c *conversation) location() *url.URL {
	location := header(c.x.Received.Header, "Location")
	if from, err := url.Parse(c.x.To.Origin + c.x.To.Path); err == nil && location != "" {
		if to, err := from.Parse(location); err == nil {
			return to
		}
	}
	return nil
}

// leads notes that an address leads to a file.
func (c *conversation) leads(to *url.URL, its link) {
	c.o.past.links[to.Scheme+"://"+to.Host+to.EscapedPath()] = its
	c.issued(to)
}

// download notes a file that a link led to, and tells whether its body is kept to be checked.
func (c *conversation) download() (keep bool) {
	e, its := c.to.export, c.o.speaks(c.to.its)
	c.entry.Kind = e.kind.Kind
	c.use()
	switch {
	case c.x.Status >= 400:
		value, _ := schemas.Decode(text(c.x.Received.Body)) // it may be no JSON
		object, _ := value.(map[string]any)
		name, _ := object[its.Errors.Name].(string)
		c.entry.SetError(&journal.Refusal{Name: cmp.Or(shapeUnlessWord(name), fmt.Sprint(c.x.Status)), Message: "refused"}, c.redactor)
		return false
	case c.x.Status >= 300 && c.x.Status != 304:
		if to := c.location(); to != nil {
			if c.to.hop == 0 && !its.Files.Redirects() {
				c.linkStyle("redirect", fmt.Sprintf("a link that answers %d and leads elsewhere", c.x.Status))
			}
			next := c.to
			next.hop++
			c.leads(to, next)
		}
		return false
	}
	if c.to.hop == 0 && its.Files.Redirects() && c.isLink {
		c.linkStyle("signed", "a link to the file itself")
	}
	if c.x.To.Method != "GET" || c.x.Status != 200 || c.x.Broken || e.kind.Kind == "" {
		return false
	}
	place := Place{Interface: c.to.its, Route: c.to.its + ".file", Status: c.x.Status, Side: File, Pointer: "Content-Type"}
	allowed := []string{"application/json", "application/x-ndjson"}
	switch {
	case its.Files.Container != "":
		allowed = []string{exports.MediaTypeOf(e.kind)}
	case e.kind.Format == "csv":
		allowed = []string{"text/csv"}
	case e.kind.Lines():
		allowed = []string{"application/x-ndjson", "application/ndjson", "application/jsonl"}
	}
	c.media(place, append(allowed, "application/octet-stream")...)
	place.Pointer = "Content-Encoding"
	c.encoding(place)
	if !c.x.Received.Body.Whole() {
		c.o.Seen.UncheckedFiles++
		return false
	}
	c.o.past.files = append(c.o.past.files, file{link: c.to, name: fmt.Sprintf("%s.%s.%d", e.kind.Kind, e.id, c.to.part),
		body: c.x.Received.Body, number: c.o.number})
	return true
}

// used is how a link was used.
type used struct {
	issued      time.Time
	works, bare bool // it has worked, and was refused to a request without credentials
}

// use finds a link that needs credentials, or that dies before its time. A link may be for GET alone, so other methods tell nothing.
func (c *conversation) use() {
	link := c.o.past.used[c.x.To.Origin+c.x.To.Path+"?"+c.x.To.Query]
	if link == nil || c.x.To.Method != "GET" {
		return
	}
	its := c.o.speaks(c.to.its)
	f := Finding{Where: Place{Interface: c.to.its, Route: c.to.its + ".link", Side: Answer, Pointer: "link"}, Severity: High}
	age := c.x.Answered.Sub(link.issued)
	switch sent := len(c.entry.Credentials) > 0; {
	case its.Files.Links("credentials"):
	case c.x.Status < 300 && link.bare && sent:
		link.bare = false
		f.Kind, f.Allowed = "link-credentials", "a link that needs no credentials"
		f.Came = "one that was refused without them, and answered with them"
		f.Overlay = c.o.put(its.File, "/x-interface/files", "linkHabits", `["credentials"]`)
		c.o.found(f)
	case c.x.Status < 400:
		link.works = true
	case !slices.Contains([]int{401, 403, 404, 410}, c.x.Status):
	case !link.works && !sent:
		link.bare = true
	case link.works && age+time.Second < time.Duration(its.Files.LinkLifetime):
		seconds := max(1, int(age.Seconds()))
		f.Kind, f.Allowed, f.Came = "link-lifetime", fmt.Sprintf("a link that works for %v", time.Duration(its.Files.LinkLifetime)),
			fmt.Sprintf("%d after %d seconds", c.x.Status, seconds)
		f.Overlay = c.o.put(its.File, "/x-interface/files", "linkLifetime", fmt.Sprintf(`"PT%dS"`, seconds))
		c.o.found(f)
	}
}

// Finish checks the files that were downloaded, each against its schema and all against each other, and forgets them.
func (o *Observer) Finish(ctx context.Context, directory string) error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	defer func() {
		for _, each := range o.past.files {
			each.body.Discard()
		}
		o.past.files = nil
	}()
	o.limits()
	for _, each := range o.past.files {
		o.number = each.number
		if err := o.checkFile(ctx, each); err != nil {
			return err
		}
		o.Seen.Files++
	}
	return o.checkRules(ctx, directory)
}

// export of a file as the schema files have it now.
func (o *Observer) exportOf(kind string) (schemas.Export, bool) {
	all := o.bench.Library().Exports()
	at := slices.IndexFunc(all, func(e schemas.Export) bool { return e.Kind == kind })
	if at < 0 {
		return schemas.Export{}, false
	}
	return all[at], true
}

// read opens the content of a file, unpacked.
func (f file) read() (*filetype.File, io.Closer, error) {
	body, err := f.body.Open()
	if err != nil {
		return nil, nil, err
	}
	unpacked, err := exports.Unpacked(f.export.kind, body)
	if err != nil {
		body.Close()
		return nil, nil, err
	}
	content, err := filetype.Open(unpacked)
	if err != nil {
		body.Close()
	}
	return content, body, err
}

// checkFile holds a file against its schema, over and over until no change of the schema files helps any more.
func (o *Observer) checkFile(ctx context.Context, f file) error {
	const rounds = 60
	tried := map[string]bool{}
	for more, round := true, 0; more && round < rounds && ctx.Err() == nil; round++ {
		export, known := o.exportOf(f.export.kind.Kind)
		if !known {
			return nil
		}
		if round == 0 {
			o.rememberRows(export, f)
		}
		var err error
		if more, err = o.checkOnce(ctx, export, f, tried); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// checkOnce finds the next fault of a file; more: there may be others.
func (o *Observer) checkOnce(ctx context.Context, export schemas.Export, f file, tried map[string]bool) (more bool, err error) {
	place := Place{Interface: f.its, Route: f.export.kind.Kind, Side: File}
	content, closer, err := f.read()
	unlike := ""
	var refused *filetype.Error
	switch {
	case errors.As(err, &refused):
		unlike = refused.Error()
	case err != nil:
		return false, err
	default:
		defer closer.Close()
		unlike = o.bench.Library().Unlike(export, content)
	}
	if unlike != "" {
		o.found(Finding{Where: place, Kind: export.Format, Severity: High, Allowed: "a file of the export", Came: unlike})
		return false, nil
	}
	if begin, _ := content.Peek(1); export.Format == "json" && len(begin) == 1 && (begin[0] == '{') != export.Lines() && !tried["layout"] {
		tried["layout"] = true
		o.fileLayout(place, export, begin[0] == '{')
		return true, nil
	}
	next, err := o.firstFault(ctx, export, content, tried)
	if err == nil && next != nil {
		o.fileFault(place, export, f, *next)
	}
	return next != nil, err
}

// fileLayout finds one object a line where there is one array, or the reverse.
func (o *Observer) fileLayout(place Place, export schemas.Export, isLines bool) {
	names := map[bool]string{true: "lines", false: "array"}
	finding := Finding{Where: place, Kind: "json-layout", Severity: High, Allowed: names[!isLines], Came: names[isLines]}
	finding.Overlay = o.put(o.speaks(export.Interface).File, "/x-interface/files", "json", `"`+names[isLines]+`"`)
	o.found(finding)
}

// rowFault is a fault, and the row that has it.
type rowFault struct {
	schemas.Fault
	csv   bool
	value any // the row or the item; nil for a fault of the header
}

// signature tells faults apart that are not the same drift.
func (f rowFault) signature() string {
	text := template(f.Pointer) + "\x00" + f.Keyword
	if f.Keyword == "enum" || f.Keyword == "const" || f.Keyword == "pattern" || f.Keyword == "type" {
		found, _ := amend.At(f.value, f.within())
		if flag, is := found.(string); is && len(flag) == 1 { // 1 and 0 are two
			text += "\x00" + flag
		}
		text += "\x00" + word(found)
	}
	return text
}

// within is the pointer below the item.
func (f rowFault) within() string {
	if f.Row > 0 && !f.csv {
		if _, rest, deep := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/"); deep {
			return "/" + rest
		}
		return ""
	}
	return f.Pointer
}

// valueOf is a row as its schema describes it.
func valueOf(r schemas.Record) any {
	if r.Header == nil {
		value, _ := schemas.Decode(r.JSON)
		return value
	}
	value := map[string]any{}
	for i, name := range r.Header {
		if i < len(r.Cells) {
			value[name] = r.Cells[i]
		}
	}
	return value
}

// errEnough ends the reading of a file.
var errEnough = errors.New("enough")

// rememberRows keeps the first rows of a file, and fewer of the oldest files: no change of the schema files may refuse them.
func (o *Observer) rememberRows(export schemas.Export, f file) {
	content, closer, err := f.read()
	if err != nil { // which is said by who checks the file
		return
	}
	defer closer.Close()
	var rows []any
	_, _ = o.bench.Library().ReadFile(export.Output, content, func(r schemas.Record) error { // a fault is found by who checks the file
		value := valueOf(r)
		if export.Format == "json" {
			value = []any{value}
		}
		if rows = append(rows, value); len(rows) < mostOthers {
			return nil
		}
		return errEnough
	}, func(schemas.Fault) bool { return true })
	all := append(o.past.others[export.Output], rows...)
	o.past.others[export.Output] = all[max(len(all)-mostRows, 0):]
}

// firstFault is the first fault of a file that was not tried yet; nil for none.
func (o *Observer) firstFault(ctx context.Context, export schemas.Export, content io.Reader, tried map[string]bool) (*rowFault, error) {
	var row rowFault
	var next *rowFault
	_, err := o.bench.Library().ReadFile(export.Output, content, func(r schemas.Record) error {
		row = rowFault{csv: r.Header != nil, value: valueOf(r)}
		return context.Cause(ctx)
	}, func(f schemas.Fault) bool {
		found := row
		if f.Row == 0 {
			found = rowFault{}
		}
		found.Fault = f
		if name := found.signature(); !tried[name] {
			tried[name], next = true, &found
			return false
		}
		return true
	})
	return next, err
}

// fileFault is one fault of a file.
func (o *Observer) fileFault(place Place, export schemas.Export, f file, fault rowFault) {
	if fault.value != nil && fault.Keyword != "csv" && fault.Keyword != "json" {
		p, value := problem{Pointer: fault.within(), Keyword: fault.Keyword}, fault.value
		if export.Format == "json" {
			p.Pointer, value = "/0"+p.Pointer, []any{value}
		}
		o.fault(place, export.Output, value, p)
		return
	}
	place.Pointer = template(fault.Pointer)
	kind, _ := kindOf(fault.Keyword)
	finding := Finding{Where: place, Kind: kind, Severity: High,
		Allowed: o.bench.Allowed(export.Output, fault.Pointer, fault.Keyword)}
	name := strings.TrimPrefix(fault.Pointer, "/")
	allowed := separatorOf(o.bench.Library(), export)
	separator, header, rows := f.begin(allowed)
	var cells []string
	if at := slices.Index(header, name); at >= 0 {
		for _, row := range rows {
			cells = append(cells, row[at])
		}
	}
	switch fault.Keyword {
	case "additionalProperties":
		if old := o.renamedColumn(export, f, header, name, cells); old != "" && memberName(name) == name {
			finding.Kind, finding.Allowed, finding.Came = "renamed-column", old, name
			finding.Overlay = o.bench.RenameColumn(export, old, name)
			break
		}
		finding.Severity, finding.Allowed, finding.Kind = Medium, "no such column", "additional-column"
		finding.Came = fmt.Sprintf("%s after %s", memberName(name), strings.Join(namesOf(header[:max(slices.Index(header, name), 0)]), ", "))
		if memberName(name) == name {
			finding.Overlay = o.bench.Column(export.Output, header, name, cells)
		}
	case "required":
		finding.Came, finding.Kind = "no such column", "missing-column"
		value := map[string]any{}
		for _, each := range header {
			value[each] = ""
		}
		finding.Overlay = o.bench.Fix(amend.Fault{Schema: export.Output, Value: value, Others: o.past.others[export.Output],
			Problem: problem{Pointer: fault.Pointer, Keyword: fault.Keyword}})
	case "x-csv":
		finding.Severity, finding.Allowed = Medium, "another order of columns"
		finding.Came = strings.Join(namesOf(header), ", ")
		finding.Overlay = o.bench.Order(export.Output, header)
	case "csv":
		finding.Allowed, finding.Came = "CSV with the separator "+allowed, "other CSV"
		if separator != allowed && fault.Row == 0 {
			finding.Kind, finding.Came = "separator", fmt.Sprintf("%q", separator)
			finding.Overlay = o.put(export.Output, "/x-csv", "separator", fmt.Sprintf("%q", separator))
		}
	default:
		finding.Allowed, finding.Came = "JSON", "something else"
	}
	o.found(finding)
}

// renamedColumn is the column in whose place a file has another one: one that is missing behind the same column, and may have the
// cells of the other; "" for none.
func (o *Observer) renamedColumn(export schemas.Export, f file, header []string, name string, cells []string) string {
	root := o.bench.Library().Schema(export.Output)
	before := func(of []string, name string) string {
		if at := slices.Index(of, name); at > 0 {
			return of[at-1]
		}
		return ""
	}
	asked := f.export.payload.Strings(export.Roles["ids"]...)
	var columns []string
	for _, column := range o.bench.Library().Columns(root) {
		if slices.Contains(root.Required, column) || slices.Contains(asked, column) {
			columns = append(columns, column)
		}
	}
	at := slices.IndexFunc(columns, func(column string) bool {
		other := func(cell string) bool {
			return root.Properties[column] != nil && root.Properties[column].Validate(cell) != nil
		}
		return !slices.Contains(header, column) && before(columns, column) == before(header, name) && !slices.ContainsFunc(cells, other)
	})
	if at < 0 {
		return ""
	}
	return columns[at]
}

// namesOf are names of columns as they may be shown.
func namesOf(header []string) []string {
	shown := make([]string, len(header))
	for i, name := range header {
		shown[i] = memberName(name)
	}
	return shown
}

func separatorOf(library *schemas.Library, export schemas.Export) string {
	if its := schemas.KeywordsOf(library.Schema(export.Output)).CSV; its != nil {
		return its.Separator
	}
	return ""
}

// begin reads the header and the first rows of a CSV file, which may have another separator than the one that is allowed.
func (f file) begin(allowed string) (separator string, header []string, rows [][]string) {
	content, closer, err := f.read()
	if err != nil || allowed == "" {
		return allowed, nil, nil
	}
	defer closer.Close()
	line, _ := content.FirstLine()
	separator = allowed
	for _, other := range filetype.Separators {
		if strings.ContainsRune(line, other) && !strings.Contains(line, allowed) {
			separator = string(other)
			break
		}
	}
	const most = 200
	reader := filetype.NewCSV(content, rune(separator[0]))
	for row, err := reader.Read(); err == nil && len(rows) < most && (header == nil || len(row) == len(header)); row, err = reader.Read() {
		if row = slices.Clone(row); header == nil {
			header = row
		} else {
			rows = append(rows, row)
		}
	}
	return separator, header, rows
}

// checkRules holds all files against each other.
func (o *Observer) checkRules(ctx context.Context, directory string) error {
	var inputs []check.Input
	var closers []io.Closer
	defer func() {
		for _, each := range closers {
			each.Close()
		}
	}()
	its := map[string]file{}
	for _, each := range o.past.files {
		body, err := each.body.Open()
		if err != nil {
			return err
		}
		closers = append(closers, body)
		unpacked, err := exports.Unpacked(each.export.kind, body)
		if err != nil {
			return err
		}
		input := check.Input{Name: each.name, Reader: unpacked, Kind: each.export.kind.Kind, Campaign: each.export.target, Export: each.export.id,
			Part: each.part}
		if w := each.export.window; !w.To.IsZero() {
			input.From, input.To = w.From, w.To
		}
		its[each.name] = each
		inputs = append(inputs, input)
	}
	if len(inputs) == 0 {
		return nil
	}
	about := map[string]string{}
	for _, rule := range rules.All() {
		about[rule.Name] = rule.About
	}
	const most = 3
	_, err := check.Files(ctx, o.bench.Library(), inputs, check.Options{Rules: []string{"-schema"}, Directory: directory, MaxFindings: most},
		func(found check.Finding) bool {
			of, kind := its[found.File], found.File
			if of.export != nil {
				kind = of.export.kind.Kind
			}
			o.found(Finding{Where: Place{Interface: of.its, Route: kind, Side: File, Pointer: found.Rule}, Kind: "rule", Severity: Medium,
				Allowed: about[found.Rule], Came: fmt.Sprintf("row %d of %s", found.Row, kind)})
			return true
		})
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return nil // the file was found to be something else already
	}
	return err
}
