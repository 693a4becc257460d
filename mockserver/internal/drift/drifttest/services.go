// Package drifttest has services that speak otherwise than the schema files, each in one way, for the tests of what finds it.
package drifttest

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Service is one way to speak otherwise.
type Service struct {
	// Overlay are changes of schema files: file, from, to.
	Overlay []string
	// Hand changes answers; nil leaves them.
	Hand func(r *http.Request, a *httptest.ResponseRecorder)
}

// edited puts a text in the place of another in the bodies of answers to paths.
func edited(path, from, to string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.Contains(r.URL.Path, path) && a.Code < 300 {
			changed := strings.ReplaceAll(a.Body.String(), from, to)
			a.Body = bytes.NewBufferString(changed)
			a.Header().Set("Content-Length", fmt.Sprint(len(changed)))
		}
	}
}

// matched edits the matches of a pattern.
func matched(path, pattern string, with func([]string) string) func(*http.Request, *httptest.ResponseRecorder) {
	finds := regexp.MustCompile(pattern)
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.Contains(r.URL.Path, path) && a.Code < 300 {
			changed := finds.ReplaceAllStringFunc(a.Body.String(), func(found string) string { return with(finds.FindStringSubmatch(found)) })
			a.Body = bytes.NewBufferString(changed)
			a.Header().Set("Content-Length", fmt.Sprint(len(changed)))
		}
	}
}

// refused edits refusals; without a text, they have another shape.
func refused(path, from, to string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if !strings.HasPrefix(r.URL.Path, path) || a.Code < 400 {
			return
		}
		changed := strings.ReplaceAll(a.Body.String(), from, to)
		if from == "" {
			changed = `{"error":{"status":"no"}}`
		}
		a.Body = bytes.NewBufferString(changed)
		a.Header().Set("Content-Length", fmt.Sprint(len(changed)))
	}
}

func headed(path, name, value string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.Contains(r.URL.Path, path) {
			a.Header().Set(name, value)
		}
	}
}

// Services are more than thirty, by what they do.
func Services() map[string]Service {
	return map[string]Service{
		// Files.
		"a column at the end": {Overlay: []string{"legacy/userbase.row.json", `"required": ["is_optin_push"`,
			`"required": ["loyalty", "is_optin_push"`, "legacy/userbase.row.json", `"properties": {`,
			`"properties": {"loyalty": {"enum": ["true", "false"]},`}},
		"a column in the middle": {Overlay: []string{"legacy/campaign.events.row.json", `"event_date", "event_type"`,
			`"event_date", "country", "event_type"`, "legacy/campaign.events.row.json", `"required": [`, `"required": ["country", `,
			"legacy/campaign.events.row.json", `"properties": {`, `"properties": {"country": {"type": "string", "examples": ["FR"]},`}},
		"a column that is gone": {Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
			if strings.HasPrefix(r.URL.Path, "/files/") && strings.Contains(a.Body.String(), ";smart_segment") {
				reader := csv.NewReader(a.Body)
				reader.Comma = ';'
				rows, _ := reader.ReadAll()
				var kept bytes.Buffer
				writer := csv.NewWriter(&kept)
				writer.Comma = ';'
				gone := slices.Index(rows[0], "smart_segment")
				for _, row := range rows {
					writer.Write(slices.Delete(row, gone, gone+1))
				}
				writer.Flush()
				a.Body = &kept
				a.Header().Set("Content-Length", fmt.Sprint(a.Body.Len()))
			}
		}},
		"another order of columns": {Overlay: []string{"legacy/reachability.events.row.json", `"event_date", "event_type"`,
			`"event_type", "event_date"`}},
		"another separator": {Overlay: []string{"legacy/campaign.ids.row.json", `"separator": ";"`, `"separator": ","`}},
		"another shape of dates in CSV": {Overlay: []string{"legacy/in-app-campaign.events.row.json",
			`"$ref": "../common/dates.json#/$defs/legacyDateTime"`, `"$ref": "../common/dates.json#/$defs/utcDateTime"`,
			"legacy/in-app-campaign.events.row.json", `,
      "x-date-format": "local-date-time"`, ``}},
		"a new event in CSV":             {Hand: edited("/files/", ";push_open", ";push_dismissed")},
		"a new event in JSON":            {Hand: edited("/files/", `"email_delivered"`, `"email_deferred"`)},
		"a null in JSON":                 {Hand: edited("/files/", `"message_language":"default"`, `"message_language":null`)},
		"a new member in JSON":           {Hand: edited("/files/", `"sent_id":`, `"attempt":1,"sent_id":`)},
		"another type in JSON":           {Hand: edited("/files/", `"sms_parts":1`, `"sms_parts":"1"`)},
		"a new channel":                  {Hand: edited("/files/", `"channel":"SMS"`, `"channel":"TEXT"`)},
		"a new reason":                   {Hand: edited("/files/", `"PUSH_TOKEN_ADDED"`, `"PUSH_TOKEN_RENEWED"`)},
		"one object a line":              {Overlay: []string{"profiles/interface.json", `"json": "array"`, `"json": "lines"`}},
		"an unasked encoding":            {Hand: headed("/files/", "Content-Encoding", "identity, gzip")},
		"another media type":             {Hand: headed("/files/", "Content-Type", "application/vnd.ms-excel")},
		"a row that contradicts another": {Hand: edited("/files/", ";true;true;true", ";true;true;false")},
		// Records, states and links.
		"a new member of a record": {Hand: edited("/request/", `"uri":`, `"progress":50,"uri":`)},
		"a new state": {Overlay: []string{"legacy/interface.json", `{"name": "PENDING", "role": "running"},`,
			`{"name": "PENDING", "role": "running"}, {"name": "PACKING", "role": "running"},`}},
		"another name of a state": {Overlay: []string{"profiles/interface.json", `"name": "SUCCESS"`, `"name": "COMPLETED"`}},
		"a state that goes back": {Hand: func() func(r *http.Request, a *httptest.ResponseRecorder) {
			asked := map[string]int{}
			return func(r *http.Request, a *httptest.ResponseRecorder) {
				if asked[r.URL.Path]++; asked[r.URL.Path] == 3 && strings.Contains(r.URL.Path, "/request/") &&
					strings.Contains(a.Body.String(), `"PENDING"`) {
					edited("/request/", `"PENDING"`, `"CREATED"`)(r, a)
				}
			}
		}()},
		"signed links":      {Overlay: []string{"profiles/interface.json", `"link": "redirect"`, `"link": "signed"`}},
		"redirecting links": {Overlay: []string{"legacy/interface.json", `"link": "signed"`, `"link": "redirect"`}},
		"another identifier": {Overlay: []string{"legacy/created.response.json", `"required": ["requestId"`, `"required": ["request_id"`,
			"legacy/created.response.json", `"requestId":`,
			`"request_id":`}},
		"another status": {Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
			if a.Code == 202 && strings.HasPrefix(r.URL.Path, "/2.7/") {
				a.Code = 201
			}
		}},
		// Refusals, headers and limits.
		"a new error": {Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
			if a.Code == 400 && strings.HasPrefix(r.URL.Path, "/1.0/") {
				a.Body = bytes.NewBufferString(`{"code":33,"type":"TOO_LARGE","message":"less, please"}`)
				a.Header().Set("Content-Length", fmt.Sprint(a.Body.Len()))
			}
		}},
		"another name of a member of errors": {Overlay: []string{"profiles/error.json", `"required": ["error_code", "error_message"]`,
			`"required": ["error_code", "detail"]`, "profiles/error.json",
			`"error_message":`, `"detail":`}},
		"another header of credentials": {Overlay: []string{"legacy/interface.json", `"credential": "X-Authorization"`,
			`"credential": "X-Rest-Key"`}},
		"another header to wait": {Overlay: []string{"profiles/interface.json", `"project": "X-Service-Project"`,
			`"project": "X-Service-Project", "retryAfter": "X-Retry-In"`}},
		"a new header":    {Hand: headed("/1.0/", "X-Quota-Left", "17")},
		"a smaller limit": {Overlay: []string{"profiles/attributes.request.json", `"burst": 10`, `"burst": 3`}},
		"a member that may be sent": {Overlay: []string{"legacy/userbase.request.json", `"properties": {`,
			`"properties": {"compress": {"type": "boolean", "x-role": "ignored"},`}},
		"a window that may be asked for": {Overlay: []string{"profiles/events.output.json", `"lookbackPolicy": "refuse"`,
			`"lookbackPolicy": "clip"`}},
		// Other names and forms.
		"a renamed column": {Hand: edited("/files/", "install_id;custom_id;advertising_id;is_optin_push",
			"installation_id;custom_id;advertising_id;is_optin_push")},
		"another column in the place of one": {Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
			edited("/files/", ";is_optin_push;", ";loyalty;")(r, a)
			matched("/files/", `;(true|false)(;\d{4}-)`, func(p []string) string { return ";gold" + p[2] })(r, a)
		}},
		"a renamed member of a record": {Hand: edited("/request/", `"file_url":`, `"file":`)},
		"a renamed member of a list":   {Hand: edited("/exports/list", `"has_more":`, `"more":`)},
		"a renamed member in JSON":     {Hand: edited("/files/", `"sent_id":`, `"send_id":`)},
		"a new member of a creation":   {Hand: edited("/export/", `"requestId":`, `"queue":"slow","requestId":`)},
		"a new member of errors":       {Hand: refused("/2.7/", `"error_code":`, `"trace":"none","error_code":`)},
		"another shape of errors":      {Hand: refused("/2.7/", ``, ``)},
		"another form of booleans in CSV": {Hand: matched("/files/", `;(true|false)(;\d{4}-)`, func(p []string) string {
			return ";" + map[string]string{"true": "1", "false": "0"}[p[1]] + p[2]
		})},
		"dates with a blank in a record": {Hand: matched("/request/", `("request_date": ?"\d{4}-\d\d-\d\d)T`, func(p []string) string {
			return p[1] + " "
		})},
		"dates as numbers in JSON": {Hand: matched("/files/", `"event_date":"([^"]*)"`, func(p []string) string {
			at, _ := time.Parse(time.RFC3339, p[1])
			return fmt.Sprintf(`"event_date":%d`, at.Unix())
		})},
		"links that need credentials": {Hand: func(r *http.Request, a *httptest.ResponseRecorder) {
			if strings.HasPrefix(r.URL.Path, "/files/") && r.Header.Get("X-Authorization") == "" && strings.HasSuffix(r.URL.Path, ".csv") {
				*a = *httptest.NewRecorder()
				a.Code = 401
			}
		}},
		"links that die early": {Hand: func() func(r *http.Request, a *httptest.ResponseRecorder) {
			asked := map[string]int{}
			return func(r *http.Request, a *httptest.ResponseRecorder) {
				if asked[r.URL.String()]++; asked[r.URL.String()] > 1 && strings.HasPrefix(r.URL.Path, "/files/") {
					*a = *httptest.NewRecorder()
					a.Code = 403
				}
			}
		}()},
		"an export that is forgotten": {Overlay: []string{"profiles/interface.json", `"errors":`, `"retention": "PT48H", "errors":`}},
	}
}

// Handler is a server with the hand in its answers.
func (s Service) Handler(inner http.Handler) http.Handler {
	if s.Hand == nil {
		return inner
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		inner.ServeHTTP(answer, r)
		s.Hand(r, answer)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()) // the client is gone, or will tell
	})
}

// Files are the embedded schema files, changed: file, from, to.
func Files(library *schemas.Library, changes []string) (fstest.MapFS, error) {
	made := fstest.MapFS{}
	for i := 0; i+2 < len(changes); i += 3 {
		name, from, to := changes[i], changes[i+1], changes[i+2]
		text := library.Source(name)
		if before := made[name]; before != nil {
			text = before.Data
		}
		changed := bytes.Replace(text, []byte(from), []byte(to), 1)
		if bytes.Equal(changed, text) {
			return nil, fmt.Errorf("%s has no %s", name, from)
		}
		made[name] = &fstest.MapFile{Data: changed}
	}
	return made, nil
}
