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

func (c *conversation) interfaceName() string {
	if c.route != nil {
		return c.route.its.Name
	}
	return c.to.its
}

// download notes a file that a link led to, and tells whether its body is kept to be checked.
func (c *conversation) download() (keep bool) {
	e := c.to.export
	c.entry.Kind = e.kind.Kind
	place := Place{Interface: c.to.its, Route: e.kind.Kind, Status: c.x.Status, Side: File}
	c.use()
	switch {
	case c.x.Status >= 400:
		its := c.o.speaks(c.to.its)
		if value, err := schemas.Decode(text(c.x.Received.Body)); err == nil {
			object, _ := value.(map[string]any)
			name, _ := object[its.Errors.Name].(string)
			c.entry.SetError(&journal.Refusal{Name: cmp.Or(shapeUnlessWord(name), fmt.Sprint(c.x.Status)), Message: "refused"}, c.redactor)
		} else {
			c.entry.SetError(&journal.Refusal{Name: fmt.Sprint(c.x.Status), Message: "refused"}, c.redactor)
		}
		return false
	case c.x.Status >= 300 && c.x.Status != 304:
		if location := header(c.x.Received.Header, "Location"); location != "" {
			if c.to.hop == 0 && !c.o.speaks(c.to.its).Files.Redirects() {
				c.linkStyle("redirect", fmt.Sprintf("a link that answers %d and leads elsewhere", c.x.Status))
			}
			if to, err := url.Parse(c.x.To.Origin + c.x.To.Path); err == nil {
				if to, err = to.Parse(location); err == nil {
					next := c.to
					next.hop++
					c.o.past.links[to.Scheme+"://"+to.Host+to.EscapedPath()] = next
					c.issued(to)
				}
			}
		}
		return false
	}
	if c.to.hop == 0 && c.o.speaks(c.to.its).Files.Redirects() {
		c.linkStyle("signed", "a link to the file itself")
	}
	if c.x.To.Method != "GET" || c.x.Status != 200 || c.x.Broken || e.kind.Kind == "" {
		return false
	}
	place.Route, place.Pointer = c.to.its+".file", "Content-Type"
	switch allowed := []string{"text/csv", "application/octet-stream"}; {
	case c.o.speaks(c.to.its).Files.Container != "":
		c.media(place, exports.MediaTypeOf(e.kind), allowed[1])
	case e.kind.Format == "csv":
		c.media(place, allowed...)
	case e.kind.Lines():
		c.media(place, "application/x-ndjson", "application/ndjson", "application/jsonl", allowed[1])
	default:
		c.media(place, "application/json", "application/x-ndjson", allowed[1])
	}
	place.Pointer = "Content-Encoding"
	c.encoding(place)
	if !c.x.Received.Body.Whole() {
		c.o.Seen.UncheckedFiles++
		return false
	}
	c.o.past.files = append(c.o.past.files, file{link: c.to, name: fmt.Sprintf("%s.%s.%d", e.kind.Kind, e.id, c.to.part),
		body: c.x.Received.Body, number: c.o.number, head: c.x.Received.Header})
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
		if changes, err := c.o.bench.Put(its.File, "/x-interface/files", "linkHabits", `["credentials"]`); err == nil {
			f.Overlay = changes
		}
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
		if changes, err := c.o.bench.Put(its.File, "/x-interface/files", "linkLifetime", fmt.Sprintf(`"PT%dS"`, seconds)); err == nil {
			f.Overlay = changes
		}
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
	place := Place{Interface: f.its, Route: f.export.kind.Kind, Side: File}
	tried := map[string]bool{}
	if export, known := o.exportOf(f.export.kind.Kind); known {
		if content, closer, err := f.read(); err == nil {
			o.rememberRows(export, content)
			closer.Close()
		}
	}
	for range rounds {
		export, known := o.exportOf(f.export.kind.Kind)
		if !known || ctx.Err() != nil {
			return ctx.Err()
		}
		content, closer, err := f.read()
		unlike := ""
		var refused *filetype.Error
		switch {
		case errors.As(err, &refused):
			unlike = refused.Error()
		case err != nil:
			return err
		default:
			unlike = o.bench.Library().Unlike(export, content)
		}
		if unlike != "" {
			if err == nil {
				closer.Close()
			}
			o.found(Finding{Where: place, Kind: export.Format, Severity: High, Allowed: "a file of the export", Came: unlike})
			return nil
		}
		if begin, _ := content.Peek(1); export.Format == "json" && len(begin) == 1 && (begin[0] == '{') != export.Lines() && !tried["layout"] {
			tried["layout"] = true
			closer.Close()
			o.fileLayout(place, export, begin[0] == '{')
			continue
		}
		next, err := o.firstFault(ctx, export, content, tried)
		closer.Close()
		if err != nil || next == nil {
			return err
		}
		o.fileFault(place, export, f, *next)
	}
	return nil
}

// fileLayout finds one object a line where there is one array, or the reverse.
func (o *Observer) fileLayout(place Place, export schemas.Export, isLines bool) {
	names := map[bool]string{true: "lines", false: "array"}
	finding := Finding{Where: place, Kind: "json-layout", Severity: High, Allowed: names[!isLines], Came: names[isLines]}
	if changes, err := o.bench.Put(o.speaks(export.Interface).File, "/x-interface/files", "json", `"`+names[isLines]+`"`); err == nil {
		finding.Overlay = changes
	}
	o.found(finding)
}

// rowFault is a fault, and the row that has it.
type rowFault struct {
	schemas.Fault
	header, cells []string
	value         any // the row or the item; nil for a fault of the header
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
	if f.Row > 0 && f.header == nil {
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
func (o *Observer) rememberRows(export schemas.Export, content io.Reader) {
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
		row = rowFault{header: slices.Clone(r.Header), cells: slices.Clone(r.Cells), value: valueOf(r)}
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
		p := problem{Pointer: fault.within(), Keyword: fault.Keyword}
		if export.Format == "json" {
			p.Pointer = "/0" + p.Pointer
			o.fault(place, export.Output, []any{fault.value}, p)
			return
		}
		o.fault(place, export.Output, fault.value, p)
		return
	}
	place.Pointer = template(fault.Pointer)
	finding := Finding{Where: place, Kind: kindOf(fault.Keyword), Severity: High,
		Allowed: o.bench.Allowed(export.Output, fault.Pointer, fault.Keyword)}
	name := strings.TrimPrefix(fault.Pointer, "/")
	header, cells := f.columns(o.bench.Library(), export, name)
	var changes []amend.Change
	err := errors.ErrUnsupported
	switch fault.Keyword {
	case "additionalProperties":
		if old := o.renamedColumn(export, f, header, name); old != "" && memberName(name) == name {
			finding.Kind, finding.Allowed, finding.Came = "renamed-column", old, name
			changes, err = o.bench.RenameColumn(export, old, name)
			break
		}
		finding.Severity, finding.Allowed, finding.Kind = Medium, "no such column", "additional-column"
		finding.Came = fmt.Sprintf("%s after %s", memberName(name), strings.Join(namesOf(header[:max(slices.Index(header, name), 0)]), ", "))
		if memberName(name) == name {
			changes, err = o.bench.Column(export.Output, header, name, cells)
		}
	case "required":
		finding.Came, finding.Kind = "no such column", "missing-column"
		value := map[string]any{}
		for _, each := range header {
			value[each] = ""
		}
		changes, err = o.bench.Fix(amend.Fault{Schema: export.Output, Value: value, Others: o.past.others[export.Output],
			Problem: problem{Pointer: fault.Pointer, Keyword: fault.Keyword}})
	case "x-csv":
		finding.Severity, finding.Allowed = Medium, "another order of columns"
		finding.Came = strings.Join(namesOf(header), ", ")
		changes, err = o.bench.Order(export.Output, header)
	case "csv":
		finding.Allowed, finding.Came = "CSV with the separator "+separatorOf(o.bench.Library(), export), "other CSV"
		if other := f.separator(separatorOf(o.bench.Library(), export)); other != "" && fault.Row == 0 {
			finding.Kind, finding.Came = "separator", fmt.Sprintf("%q", other)
			changes, err = o.bench.Separator(export.Output, other)
		}
	default:
		finding.Allowed, finding.Came = "JSON", "something else"
	}
	if err == nil {
		finding.Overlay = changes
	}
	o.found(finding)
}

// renamedColumn is the column in whose place a file has another one: one that is missing behind the same column; "" for none.
func (o *Observer) renamedColumn(export schemas.Export, f file, header []string, name string) string {
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
	for _, column := range columns {
		if !slices.Contains(header, column) && before(columns, column) == before(header, name) {
			return column
		}
	}
	return ""
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

// columns are the names in the header of a CSV file, and the first cells of one of them.
func (f file) columns(library *schemas.Library, export schemas.Export, name string) (header, cells []string) {
	content, closer, err := f.read()
	if err != nil || export.Format != "csv" {
		return nil, nil
	}
	defer closer.Close()
	separator := separatorOf(library, export)
	if other := f.separator(separator); other != "" {
		separator = other
	}
	reader := filetype.NewCSV(content, rune(separator[0]))
	header, _ = reader.Read()
	header = slices.Clone(header)
	at := slices.Index(header, name)
	const most = 200
	for range most {
		row, err := reader.Read()
		if err != nil {
			break
		}
		if at >= 0 && at < len(row) {
			cells = append(cells, row[at])
		}
	}
	return header, cells
}

// separator is another one than the schema files say, if the header has it.
func (f file) separator(allowed string) string {
	content, closer, err := f.read()
	if err != nil {
		return ""
	}
	defer closer.Close()
	line, _ := content.FirstLine()
	for _, other := range filetype.Separators {
		if strings.ContainsRune(line, other) && !strings.Contains(line, allowed) {
			return string(other)
		}
	}
	return ""
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
	kinds := map[string]string{}
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
		kinds[each.name] = each.its
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
			kind := strings.SplitN(found.File, ".export_", 2)[0]
			for _, input := range inputs {
				if input.Name == found.File {
					kind = input.Kind
				}
			}
			o.found(Finding{Where: Place{Interface: kinds[found.File], Route: kind, Side: File, Pointer: found.Rule}, Kind: "rule", Severity: Medium,
				Allowed: about[found.Rule], Came: fmt.Sprintf("row %d of %s", found.Row, kind)})
			return true
		})
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return nil // the file was found to be something else already
	}
	return err
}
