package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// creationRefusals gives cause to every error that a client can cause when it
// asks for an export, and lets a scenario force the others.
func (r *recorder) creationRefusals() error {
	for _, family := range []struct {
		name, operation, body string
		unknown               request
	}{
		{"Legacy", "campaignIdsCreate", "campaignIds", request{operation: "legacyStatus"}},
		{"Profile", "profilesCreate", "profilesAttributes", request{operation: "profilesView", query: url.Values{"id": {"export_unknown"}}}},
	} {
		operation, err := r.operation(family.operation)
		if err != nil {
			return err
		}
		good, _ := operation.body(family.body)
		var members map[string]any
		if err := json.Unmarshal(good, &members); err != nil {
			return fmt.Errorf("the example of %s: %w", family.operation, err)
		}
		members["id"] = []string{"install_id"}
		misspelt, err := json.Marshal(members)
		if err != nil {
			return err
		}
		ask := func(body []byte) request { return request{operation: family.operation, body: body} }
		bare, poor := ask(good), ask(good)
		bare.bare, poor.small, poor.path = true, true, map[string]string{"api_key": small.Applications[0].Key}
		if err := r.refuse(family.name, ask(good), map[string]request{
			exports.AuthenticationInvalid: bare,
			exports.APIMisuse:             poor,
			exports.MissingParameter:      ask([]byte(`{}`)),
			exports.MalformedParameter:    ask(misspelt),
			exports.MalformedJSONBody:     ask(good[:len(good)/2]),
			exports.RouteNotFound:         family.unknown,
		}); err != nil {
			return err
		}
	}
	return nil
}

// fileRefusals does the same for links, and lets links and files grow old.
func (r *recorder) fileRefusals() error {
	id, err := r.create("progress=now")
	if err != nil {
		return err
	}
	record, err := r.send(request{operation: "legacyStatus", path: map[string]string{"request_id": id}})
	if err != nil {
		return err
	}
	link := request{link: member(record, "file_url")}
	if err := r.refuse("File", request{operation: "fileDownload"}, map[string]request{
		exports.LinkInvalid:         {operation: "fileDownload", query: url.Values{"signature": {"altered"}}},
		exports.PreconditionFailed:  link.with("If-Match", `"another"`),
		exports.RangeNotSatisfiable: link.with("Range", "bytes=99999999999-"),
		exports.LinkExpired:         {}, exports.FileExpired: {}, // below
	}); err != nil {
		return err
	}
	for _, aged := range []struct{ advance, status, name string }{{"21m", "403", exports.LinkExpired}, {"768h", "410", exports.FileExpired}} {
		if _, err := r.send(request{operation: "clockSet", body: []byte(`{"advance":"` + aged.advance + `"}`)}); err != nil {
			return err
		}
		if err := r.keepRefusal("File", aged.status, aged.name, link); err != nil {
			return err
		}
	}
	return nil
}

// controlRefusals are those of the control API that are easily caused, and that of
// a host name, which all routes have.
func (r *recorder) controlRefusals() error {
	waiting, err := r.create("progress=manual")
	if err != nil {
		return err
	}
	done, err := r.create("progress=now")
	if err != nil {
		return err
	}
	move := func(id, body string) request {
		return request{operation: "exportsMove", path: map[string]string{"id": id}, body: []byte(body)}
	}
	get := request{operation: "exportsGet", path: map[string]string{"id": done}}
	far, unknown := get, get
	far.far, unknown.path = true, map[string]string{"id": "unknown"}
	for _, cause := range []struct {
		status, name string
		request
	}{
		{"404", exports.RouteNotFound, unknown},
		{"403", exports.APIMisuse, far},
		{"409", exports.Conflict, move(done, `{"action":"step"}`)},
		{"400", exports.MalformedParameter, move(waiting, `{"action":"finnish"}`)},
		{"400", exports.MissingParameter, move(waiting, `{}`)},
		{"400", exports.MalformedJSONBody, move(waiting, `{"action"`)},
	} {
		if err := r.keepRefusal("Control", cause.status, cause.name, cause.request); err != nil {
			return err
		}
	}
	return r.keepRefusal("Server", "403", exports.APIMisuse, request{operation: "openapi", rebound: true})
}

// refuse keeps every error of a family: caused by a request, if there is one,
// or else forced.
func (r *recorder) refuse(family string, usual request, causes map[string]request) error {
	byStatus := r.document.errorNames(family)
	for _, status := range slices.Sorted(maps.Keys(byStatus)) {
		for _, name := range byStatus[status] {
			cause, caused := causes[name]
			if !caused {
				cause = usual.with("X-Mock-Scenario", "error="+name)
			}
			if cause.operation == "" && cause.link == "" {
				continue // at another time
			}
			if err := r.keepRefusal(family, status, name, cause); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepRefusal notes a refusal.
func (r *recorder) keepRefusal(family, status, name string, q request) error {
	answer, err := r.send(q)
	if err != nil {
		return err
	}
	if strconv.Itoa(answer.Code) != status || member(answer, "type") != name && member(answer, "error_code") != name {
		return fmt.Errorf("%s was to be refused with %s, but the answer is %d %s", family, name, answer.Code, answer.Body)
	}
	r.add(family+"Error", answer, name, "", answer.Body.Bytes())
	return nil
}

// create makes an export and gives its identifier.
func (r *recorder) create(scenario string) (string, error) {
	operation, err := r.operation("campaignIdsCreate")
	if err != nil {
		return "", err
	}
	q := request{operation: operation.OperationID}
	q.body, _ = operation.body("campaignIds")
	answer, err := r.send(q.with("X-Mock-Scenario", scenario))
	if err != nil {
		return "", err
	}
	return member(answer, "requestId"), nil
}
