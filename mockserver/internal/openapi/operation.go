package openapi

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// operation describes a route.
func (d *builder) operation(route *httpd.Route) (object, error) {
	made := object{{"operationId", operationID(route)}, {"summary", d.title(route)}}
	if text := d.description(route); text != "" {
		made.set("description", text)
	}
	made.set("tags", []any{groupOf(route).Name})
	if route.Extension {
		made.set("x-extension", true)
	}
	made.set("security", security(route))
	parameters, err := d.parameters(route)
	if err != nil {
		return nil, err
	}
	if len(parameters) > 0 {
		made.set("parameters", parameters)
	}
	body, err := d.requestBody(route)
	if err != nil {
		return nil, err
	}
	if body != nil {
		made.set("requestBody", body)
	}
	responses, err := d.responses(route)
	if err != nil {
		return nil, err
	}
	made.set("responses", responses)
	if len(route.Exports) > 0 {
		if err := d.callbacks(route, &made); err != nil {
			return nil, err
		}
		described, err := d.exports(route)
		if err != nil {
			return nil, err
		}
		made.set("x-exports", described)
	}
	return made, nil
}

// callbacks describes what the server posts when an export has ended: the record, to the address of the request or of the interface.
func (d *builder) callbacks(route *httpd.Route, made *object) error {
	addresses := object{}
	for _, export := range route.Exports {
		address := export.Speaks.Callback
		if path := export.Roles["callback"]; path != nil {
			address = "{$request.body#/" + strings.Join(path, "/") + "}"
		}
		of := slices.IndexFunc(d.routes, func(r *httpd.Route) bool {
			return r.Stage == exports.StageStatus && r.Interface.Name == export.Interface
		})
		if address == "" || of < 0 {
			continue
		}
		record, err := d.bundle.refer(d.routes[of].Response)
		if err != nil {
			return err
		}
		addresses.set(address, object{{"post", object{{"summary", "The export has ended"},
			{"requestBody", object{{"required", true}, {"content", object{{mediaJSON, object{{"schema", record}}}}}}},
			{"responses", object{{"2XX", object{{"description", "The record is taken. Without such an answer it is sent three times."}}}}}}}})
	}
	if len(addresses) > 0 {
		made.set("callbacks", object{{"ended", addresses}})
	}
	return nil
}

// title names an operation; that of the export API in at most four words, since lists of operations show it.
func (d *builder) title(route *httpd.Route) string {
	switch {
	case len(route.Exports) == 1:
		return "Export " + strings.ReplaceAll(route.Exports[0].Kind, ".", " ")
	case len(route.Exports) > 1:
		return "Export " + route.Interface.Name
	}
	if title := map[exports.Stage]string{exports.StageStatus: "Look up an export", exports.StageList: "List exports",
		exports.StageDownload: "Get a file link", exports.StageFile: "Download a file"}[route.Stage]; title != "" {
		return title
	}
	return strings.TrimSuffix(route.Summary, ".")
}

// operationID is the name of a route in one word, as that of a method: a creation is called by what it does (campaign.events is
// campaignEventsCreate), others are by their names already.
func operationID(route *httpd.Route) string {
	words := strings.FieldsFunc(route.Name, func(char rune) bool { return char == '.' || char == '-' })
	if last := len(words) - 1; route.Creates() && words[last] != "create" {
		words = append(words, "create")
	}
	if route.Credential == httpd.SignedLink {
		words = append(words, "download") // file alone is a class in some languages
	}
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// description says of a creation route what its file holds; of others what their credential is, where that is none of the usual ones.
func (d *builder) description(route *httpd.Route) string {
	if route.Credential == httpd.SignedLink {
		return "The signature in the link is the credential: no header is needed, and none should be sent."
	}
	var lines []string
	if route.Stage != "" && len(route.Exports) == 0 {
		lines = append(lines, route.Summary)
	}
	for _, export := range route.Exports {
		line := strings.TrimSuffix(export.Summary, ".") + ". "
		if len(route.Exports) > 1 {
			line = "`" + export.Kind + "`: " + line
		}
		if columns := d.columns(export); len(columns) > 0 {
			line += "The file is CSV with a header, separated by " + strconv.Quote(d.separator(export)) + ": " + strings.Join(columns, ", ") + "."
		} else {
			line += "The file is " + map[bool]string{true: "one JSON object a line.", false: "a JSON array."}[export.Lines()]
		}
		switch export.LookbackPolicy {
		case "clip":
			line += fmt.Sprintf(" What is older than %s is silently missing.", days(export.Lookback))
		case "refuse":
			line += fmt.Sprintf(" A window that begins more than %s ago is refused.", days(export.Lookback))
		default:
			line += " A snapshot: it has no window."
		}
		if !export.NotBefore.IsZero() {
			line += " There are no events before " + export.NotBefore.Format(time.DateOnly) + "."
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\n")
}

func days(duration time.Duration) string {
	return fmt.Sprintf("%d days", int(math.Round(duration.Hours()/24)))
}

// columns are those of a CSV file, in their order; nil for JSON.
func (d *builder) columns(export schemas.Export) []string {
	root := d.library.Schema(export.Output)
	csv := schemas.KeywordsOf(root).CSV
	if csv == nil {
		return nil
	}
	columns := append([]string(nil), csv.Columns...)
	known := map[string]bool{}
	for _, column := range columns {
		known[column] = true
	}
	for _, column := range d.library.PropertyOrder(root) {
		if !known[column] {
			columns = append(columns, column)
		}
	}
	return columns
}

func (d *builder) separator(export schemas.Export) string {
	if csv := schemas.KeywordsOf(d.library.Schema(export.Output)).CSV; csv != nil {
		return csv.Separator
	}
	return ""
}

// exports says, for programs, what can be made at a route: the file of each kind and the rules that no JSON Schema can say.
func (d *builder) exports(route *httpd.Route) ([]any, error) {
	var made []any
	for _, export := range route.Exports {
		output, err := d.bundle.refer(export.Output)
		if err != nil {
			return nil, err
		}
		described := object{{"kind", export.Kind}, {"mediaType", exports.MediaTypeOf(export)}}
		if columns := d.columns(export); columns != nil {
			described.set("row", output)
			described.set("columns", texts(columns))
			described.set("separator", d.separator(export))
		} else {
			described.set("file", output)
		}
		if export.Lookback > 0 {
			described.set("lookback", fmt.Sprintf("P%dD", int(export.Lookback.Hours()/24)))
			described.set("lookbackPolicy", export.LookbackPolicy)
		}
		if !export.NotBefore.IsZero() {
			described.set("notBefore", export.NotBefore.Format(time.RFC3339))
		}
		if limit := export.RateLimit; limit != nil {
			rate := object{{"burst", limit.Burst}, {"every", limit.Every.String()}}
			if limit.When != "" {
				rate.set("when", limit.When)
			}
			described.set("rateLimit", rate)
		}
		made = append(made, described)
	}
	return made, nil
}

// requestBody describes what a route is sent; nil for no body.
func (d *builder) requestBody(route *httpd.Route) (object, error) {
	content := object{}
	switch {
	case route.Creates() && route.Method == http.MethodGet: // the query and the path say everything
	case len(route.Exports) > 0:
		schema, err := d.payload(route)
		if err != nil {
			return nil, err
		}
		content.set(mediaJSON, object{{"schema", schema}})
	case route.Request != "":
		schema, err := d.bundle.refer(route.Request)
		if err != nil {
			return nil, err
		}
		content.set(mediaOf(route), object{{"schema", schema}})
	default:
		for _, media := range route.RequestMedia {
			schema := object{{"type", "string"}}
			if media == mediaJSON || route.BodyOptional {
				schema = object{{"description", "Anything: what is wrong with it is the answer."}}
			}
			content.set(media, object{{"schema", schema}})
		}
	}
	if len(content) == 0 {
		return nil, nil
	}
	examples, err := d.requestExamples(route)
	if err != nil {
		return nil, err
	}
	described := content.object(mediaOf(route))
	addExamples(&described, examples)
	content.set(mediaOf(route), described)
	return object{{"required", !route.BodyOptional}, {"content", content}}, nil
}

// Media types of bodies.
const (
	mediaJSON  = "application/json"
	mediaLines = "application/x-ndjson"
	mediaCSV   = "text/csv"
)

// mediaOf is the media type of the body that a route takes: JSON, or the first that it names.
func mediaOf(route *httpd.Route) string {
	if len(route.RequestMedia) > 0 {
		return route.RequestMedia[0]
	}
	return mediaJSON
}

// payload is the schema of what a creation route is sent: that of its export, or of several, told apart by a member that each fixes.
func (d *builder) payload(route *httpd.Route) (object, error) {
	if len(route.Exports) == 1 {
		return d.bundle.refer(route.Exports[0].Request)
	}
	var choices []any
	mapping, property := object{}, ""
	for _, export := range route.Exports {
		reference, err := d.bundle.refer(export.Request)
		if err != nil {
			return nil, err
		}
		choices = append(choices, reference)
		for _, m := range d.resolve(reference).object("properties") {
			if value, is := d.resolve(m.value).get("const").(string); is {
				property = m.name
				mapping.set(value, reference.text("$ref"))
			}
		}
	}
	made := object{{"oneOf", choices}}
	if len(mapping) == len(choices) {
		made.set("discriminator", object{{"propertyName", property}, {"mapping", mapping}})
	}
	name := componentName(operationID(route), "") + "Request"
	if err := d.bundle.take(name, route.Path); err != nil {
		return nil, err
	}
	d.bundle.made.set(name, made)
	return object{{"$ref", componentPrefix + name}}, nil
}
