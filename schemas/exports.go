package schemas

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// Export is one kind of export: the endpoint that makes it and what its file holds (export API sections 1 and 4).
type Export struct {
	// Kind names the export, such as campaign.events or profiles.attributes.
	Kind string `json:"kind"`
	// Interface is the name of its interface.
	Interface string `json:"interface"`
	// Method and Path are those of the creation endpoint. Path variables stand in braces.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Output, Request, Response and Error name schema files: of the file (one row of it, for CSV), of the
	// creation payload, of its answer ("": the file itself is the answer) and of a refusal.
	Output   string `json:"-"`
	Request  string `json:"request"`
	Response string `json:"response"`
	Error    string `json:"error"`
	// Status is the HTTP status of a creation.
	Status int `json:"status"`
	// Format is csv or json.
	Format string `json:"format"`
	// View names the view of the world that the rows are drawn from.
	View string `json:"view"`
	// Target is what the path names after the application key, campaign or group; "" for nothing.
	Target string `json:"target,omitempty"`
	// Stream names the messages that the rows are about: exports of one stream and one target agree. "" where rows are about no messages.
	Stream string `json:"stream,omitempty"`
	// Summary says in a sentence what the export holds.
	Summary string `json:"summary"`
	// Digest is the hexadecimal SHA-256 over the schema files that the files of this interface are made from: the requests and outputs of
	// all its exports, and what they refer to. While it stays the same, so does the file of a request.
	Digest string `json:"-"`
	// Speaks is how its interface speaks. Callers must not change it.
	Speaks *dialect.Interface `json:"-"`
	// RateLimit bounds how often it may be requested; nil: nothing does. Callers must not change it.
	RateLimit *RateLimit `json:"-"`
	// Roles are the members of the request by role. Callers must not change them.
	Roles Roles `json:"roles"`
	// Example is a payload as one would type it; "" where it would need dates, which depend on the day.
	Example string `json:"-"`
	// Order is the place in lists.
	Order int `json:"order"`
	// Lookback is how far back events are kept; 0 for a snapshot.
	Lookback time.Duration `json:"-"`
	// LookbackPolicy tells what becomes of a window that begins earlier: clip leaves rows out, refuse
	// refuses the request; "" without a lookback.
	LookbackPolicy string `json:"lookbackPolicy"`
	// NotBefore is the instant before which there are no events; zero without such a floor.
	NotBefore time.Time `json:"notBefore"`
}

// Reads tells whether a member of the request comes from the query or the path, as all of GET do.
func (e Export) Reads(member string) bool {
	return e.Method == "GET" && slices.ContainsFunc(slices.Collect(maps.Values(e.Roles)), func(path []string) bool {
		return len(path) == 1 && path[0] == member
	})
}

// Lines tells whether its files have one JSON object a line.
func (e Export) Lines() bool { return e.Format == "json" && e.Speaks.Files.Lines() }

// Endpoint is an endpoint that does not create an export (export API section 4.2, and our extensions).
type Endpoint struct {
	// Name is unique, such as legacy.status.
	Name string `json:"name"`
	// Role is what it does: status, list or download.
	Role string `json:"role"`
	// Interface is the name of its interface.
	Interface string `json:"interface"`
	// Method and Path as in [Export].
	Method string `json:"method"`
	Path   string `json:"path"`
	// Query holds the query parameters.
	Query []Parameter `json:"query"`
	// Status is the HTTP status of success.
	Status int `json:"status"`
	// Request, Response and Error name schema files: of the body, "" for none, of the answer and of a refusal.
	Request  string `json:"request,omitempty"`
	Response string `json:"-"`
	Error    string `json:"error"`
	// Named is the path of the member of the body that names the export.
	Named []string `json:"named,omitempty"`
	// Link is the files.link of its interface without which it is not served; "" is for all.
	Link string `json:"link,omitempty"`
	// Extension tells that the specification does not show the endpoint.
	Extension bool `json:"extension"`
	// Summary says in a sentence what it does.
	Summary string `json:"summary"`
}

// Roles of endpoints.
const (
	RoleStatus   = "status"
	RoleList     = "list"
	RoleDownload = "download"
)

// namesNone tells whether requests of the endpoint have no place for the identifier of an export that they are about.
func (e Endpoint) namesNone(its *dialect.Interface) bool {
	variables := strings.Count(e.Path, "{") - strings.Count(e.Path, "{"+its.KeyVariable+"}")
	return e.Role != RoleList && variables == 0 && e.Named == nil && ParameterOf(e.Query, "export", "file") == ""
}

// unread is a variable of the path that nothing reads; "" for none.
func (e Endpoint) unread(its *dialect.Interface) string {
	path := strings.ReplaceAll(e.Path, "{"+its.KeyVariable+"}", "")
	before, last, more := strings.Cut(path, "{")
	if e.Role != RoleList && more && e.Named == nil && ParameterOf(e.Query, "export", "file") == "" {
		if _, _, more = strings.Cut(last, "{"); !more {
			return ""
		}
	}
	name, _, _ := strings.Cut(path[min(len(before)+1, len(path)):], "}")
	return name
}

// ParameterOf is the name of the query parameter that has one of these roles; "" without one.
func ParameterOf(query []Parameter, roles ...string) string {
	for _, parameter := range query {
		if slices.Contains(roles, parameter.Role) {
			return parameter.Name
		}
	}
	return ""
}

// Parameter is one query parameter.
type Parameter struct {
	// Name is the name in the query string.
	Name string `json:"name"`
	// Role is what it says: export, file, after or limit; "" for nothing.
	Role string `json:"role,omitempty"`
	// Required tells whether a request without it is refused.
	Required bool `json:"required"`
	// Description says what it is for.
	Description string `json:"description"`
	// Schema gives what checks the value as the string it is; nil checks nothing.
	Schema func() *jsonschema.Schema `json:"-"`
	// Source is the schema as it stands in the file.
	Source json.RawMessage `json:"schema"`
}
