package e2e_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestBadBodies sends what no client should, to both interfaces, and checks that the answer helps.
func TestBadBodies(t *testing.T) {
	straight(t, "it reads bodies itself, and writes them anew")
	c := connect(t, "--state", "memory", "--profiles", "100")
	nested := strings.Repeat("[", 100000)
	cases := []struct {
		name, body string
		code       int
		pointer    string // expected among the faults, or a word of the message; empty for none
	}{
		{"empty", ``, 32, ""},
		{"blank", "  \n ", 32, ""},
		{"no JSON", `from=now`, 32, ""},
		{"cut off", `{"from":"now","to":`, 32, ""},
		{"something after it", `{"from":"now"} {}`, 32, ""},
		{"duplicate member", `{"from":"now","from":"now","to":"now","events":["push_sent"],"ids":["install_id"]}`, 32, "from"},
		{"invalid UTF-8", "{\"from\":\"n\xffw\"}", 32, ""},
		{"lone surrogate", `{"from":"\ud800"}`, 32, ""},
		{"nested too deep", nested, 32, ""},
		{"nested too deep, closed", `{"from":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`, 32, ""},
		{"an array", `[]`, 31, ""},
		{"null", `null`, 31, ""},
		{"a string", `"now"`, 31, ""},
		{"nothing given", `{}`, 30, "/from"},
		{"no events", `{"from":"now","to":"now","ids":["install_id"]}`, 30, "/events"},
		{"missing before malformed", `{"from":5,"to":"now","ids":["install_id"]}`, 30, "/events"},
		{"a misspelt member", `{"from":"now","to":"now","events":["push_sent"],"ids":["install_id"],"idz":1}`, 31, "/idz"},
		{"from is a number", `{"from":5,"to":"now","events":["push_sent"],"ids":["install_id"]}`, 31, "/from"},
		{"from is null", `{"from":null,"to":"now","events":["push_sent"],"ids":["install_id"]}`, 31, "/from"},
		{"now in capitals", `{"from":"NOW","to":"now","events":["push_sent"],"ids":["install_id"]}`, 31, "/from"},
		{"a zone in a legacy date", `{"from":"2025-09-01T00:00:00Z","to":"now","events":["push_sent"],"ids":["install_id"]}`, 31, "/from"},
		{"no such day", `{"from":"2025-02-29T00:00:00","to":"now","events":["push_sent"],"ids":["install_id"]}`, 31, "/from"},
		{"from after to", `{"from":"2025-09-10T00:00:00","to":"2025-09-01T00:00:00","events":["push_sent"],"ids":["install_id"]}`, 31, "/from"},
		{"an unknown event", `{"from":"now","to":"now","events":["push_opened"],"ids":["install_id"]}`, 31, "/events/0"},
		{"an event of another kind", `{"from":"now","to":"now","events":["inapp_shown"],"ids":["install_id"]}`, 31, "/events/0"},
		{"no event", `{"from":"now","to":"now","events":[],"ids":["install_id"]}`, 31, "/events"},
		{"an unknown identifier", `{"from":"now","to":"now","events":["push_sent"],"ids":["email"]}`, 31, "/ids/0"},
		{"ids is a string", `{"from":"now","to":"now","events":["push_sent"],"ids":"install_id"}`, 31, "/ids"},
	}
	k := kindOf("campaign.events")
	for _, test := range cases {
		response := c.send(http.MethodPost, k.path, test.body, k.headers()...)
		e := checkNativeError(t, response, true)
		if response.Status != http.StatusBadRequest || e.Code != test.code {
			t.Errorf("%s: status %d, code %d, want 400 and %d: %.300s", test.name, response.Status, e.Code, test.code, response.Body)
			continue
		}
		found := strings.Contains(e.Message, test.pointer)
		for _, fault := range e.Errors {
			found = found || fault.Pointer == test.pointer
		}
		if !found {
			t.Errorf("%s: no word of %s: %s", test.name, test.pointer, response.Body)
		}
	}

	attributes, events := kindOf("profiles.attributes"), kindOf("profiles.events")
	for _, test := range []struct {
		name, body, code, pointer string
	}{
		{"empty", ``, "MALFORMED_JSON_BODY", ""},
		{"no type", `{"attributes":["$region"]}`, "MISSING_PARAMETER", "/export_type"},
		{"an unknown type", `{"export_type":"EVERYTHING"}`, "MALFORMED_PARAMETER", "/export_type"},
		{"neither attributes nor identifiers", `{"export_type":"ATTRIBUTES"}`, "MISSING_PARAMETER", ""},
		{"an unknown native attribute", `{"export_type":"ATTRIBUTES","attributes":["$shoe_size"]}`, "MALFORMED_PARAMETER", "/attributes/0"},
		{"an unknown filter", attributes.body(noon, noon, map[string]any{"filter": map[string]any{"segment": "loyal", "region": "FR"}}),
			"MALFORMED_PARAMETER", "/filter/region"},
		{"no from", events.body(noon, noon, map[string]any{"from": nil}), "MISSING_PARAMETER", "/from"},
		{"no zone", events.body(noon, noon, map[string]any{"from": "2025-09-01T00:00:00"}), "MALFORMED_PARAMETER", "/from"},
		{"another zone", events.body(noon, noon, map[string]any{"from": "2025-09-01T00:00:00+02:00"}), "MALFORMED_PARAMETER", "/from"},
		{"a member of another type", events.body(noon, noon, map[string]any{"channels": []string{"push"}}), "MALFORMED_PARAMETER", "/channels"},
	} {
		response := c.send(http.MethodPost, events.path, test.body, events.headers()...)
		e := checkNativeError(t, response, false)
		found := test.pointer == ""
		for _, fault := range e.Errors {
			found = found || fault.Pointer == test.pointer
		}
		if response.Status != http.StatusBadRequest || e.ErrorCode != test.code || !found {
			t.Errorf("%s: %d, want %s at %q: %s", test.name, response.Status, test.code, test.pointer, response.Body)
		}
	}

	for media, status := range map[string]int{"application/json; charset=utf-8": 202, "text/plain": 400,
		"application/x-www-form-urlencoded": 400, "": 400} {
		headers := []string{"X-Authorization", companyKey}
		if media != "" {
			headers = append(headers, "Content-Type", media)
		}
		if response := c.send(http.MethodPost, k.path, k.month(), headers...); response.Status != status {
			t.Errorf("Content-Type %q: %d, want %d: %s", media, response.Status, status, response.Body)
		}
	}
	big := c.create(k, k.month())
	response, err := c.request(http.MethodPost, k.path, `{"from":"`+strings.Repeat("x", 10<<20)+`"}`, k.headers()...)
	if err == nil { // the server may close the connection on a body that nobody will read
		if e := checkNativeError(t, response, true); response.Status != http.StatusBadRequest || e.Code != 31 {
			t.Errorf("10 MB: %d %.300s", response.Status, response.Body)
		}
	}
	if c.lookup(big).ID != big {
		t.Error("an export is lost")
	}
}

// TestHostilePaths asks for routes that are not there; each answer is the error of its interface.
func TestHostilePaths(t *testing.T) {
	straight(t, "it tidies paths up, and ends with some")
	c := connect(t, "--state", "memory", "--profiles", "100")
	k := kindOf("userbase")
	for _, target := range []string{
		"/1.0", "/1.0/", "/1.0/live_demo", "/1.0/live_demo/export", "/1.0/live_demo/export/", "/1.0/live_demo/export/userbase/",
		"/1.0/live_demo/export/userbase/ids", "/1.0/live_demo/export/campaign/welcome", "/1.0/live_demo/export/campaign//events",
		"/1.0//live_demo/export/userbase", "/1.0/live_demo/../live_demo/export/userbase", "/1.0/live_demo/export/campaign/%2e%2e/%2e%2e/userbase",
		"/1.0/live_demo/export/Userbase", "/1.1/live_demo/export/userbase", "/1.0/live_demo/export/unknown/events",
	} {
		response := c.send(http.MethodPost, target, k.month(), k.headers()...)
		if response.Status != http.StatusNotFound {
			t.Errorf("POST %s: status %d, want 404: %.200s", target, response.Status, response.Body)
		} else if e := checkNativeError(t, response, true); e.Code != 20 {
			t.Errorf("POST %s: %s", target, response.Body)
		}
	}
	for _, method := range []string{"GET", "PUT", "DELETE", "PATCH"} {
		response := c.send(method, k.path, "", k.headers()...)
		if e := checkNativeError(t, response, true); response.Status != http.StatusNotFound || e.Code != 20 ||
			response.Header.Get("Allow") == "" {
			t.Errorf("%s: %d, Allow %q: %s", method, response.Status, response.Header.Get("Allow"), response.Body)
		}
	}
	response := c.send(http.MethodPost, "/2.7/nothing", "{}", profileHeaders...)
	if e := checkNativeError(t, response, false); response.Status != http.StatusNotFound || e.ErrorCode != "ROUTE_NOT_FOUND" {
		t.Errorf("/2.7/nothing: %d %s", response.Status, response.Body)
	}
	for _, campaign := range []string{"%00", "%0a%0d", "%F0%9F%98%80", "%ff", "a%2Fb", strings.Repeat("x", 4000), "%7B%7B", "'%20or%201=1"} {
		target := "/1.0/live_demo/export/campaign/" + campaign + "/events"
		if response := c.send(http.MethodPost, target, kindOf("campaign.events").month(), k.headers()...); response.Status >= 500 {
			t.Errorf("%s: %d %s", target, response.Status, response.Body)
		}
	}
	c.create(k, k.month())
}

// TestOddConnections speaks to the socket what no HTTP library would, and checks that the server goes on.
func TestOddConnections(t *testing.T) {
	s := start(t, "--state", "memory", "--profiles", "100")
	c := clientOf(t, s)
	address := strings.TrimPrefix(s.base, "http://")
	for name, text := range map[string]string{
		"nothing":            "",
		"noise":              "\x16\x03\x01\x02\x00\x01\x00\x01",
		"no host":            "POST /1.0/live_demo/export/userbase HTTP/1.1\r\n\r\n",
		"two lengths":        "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 30\r\n\r\n{}",
		"length and chunks":  "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"a bad chunk":        "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"a cut body":         "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: rest_demo\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"ids\"",
		"a header of 2 MB":   "GET / HTTP/1.1\r\nHost: x\r\nX-Authorization: " + strings.Repeat("x", 2<<20) + "\r\n\r\n",
		"control characters": "GET /1.0/live_demo/\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(connection, text) // the server may hang up half-way, which is an answer
		connection.(*net.TCPConn).CloseWrite()
		if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			io.Copy(io.Discard, response.Body)
			if response.StatusCode < 400 || response.StatusCode >= 500 {
				t.Errorf("%s: status %d", name, response.StatusCode)
			}
		}
		connection.Close()
		k := kindOf("userbase")
		c.create(k, k.month())
	}
}
