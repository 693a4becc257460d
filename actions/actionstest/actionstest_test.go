package actionstest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// A runner that finds nothing wrong proves nothing: each of these vectors is wrong in one way, which must be found.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	const register = `{"register": "x", "handler": "record"}, `
	for _, c := range []struct{ vector, problem string }{
		{`{"steps": [{"register": "x", "handler": "record", "expect": {"ok": false}}]}`,
			`step 0 (register "x"): ok: expected false, found true; the answer is {"ok":true}`},
		{`{"steps": [{"register": "service.x", "expect": {"error": "invalid_identifier"}}]}`,
			`step 0 (register "service.x"): error: expected invalid_identifier, found reserved_identifier; the answer is {"error":"reserved_identifier","ok":false}`},
		{`{"steps": [{"unregister": "x", "expect": {"removed": true}}]}`,
			`step 0 (unregister "x"): removed: expected true, found false; the answer is {"removed":false}`},
		{`{"steps": [{"register": "x", "handler": "record", "as": "a"}, {"dispose": "a", "expect": {"removed": false}}]}`,
			`step 1 (dispose "a"): removed: expected false, found true; the answer is {"removed":true}`},
		{`{"steps": [{"perform": "x", "expect": {"status": "performed"}}]}`,
			`step 0 (perform "x"): status: expected performed, found not_found; the answer is {"message":"no action is registered as \"x\"","status":"not_found"}`},
		{`{"steps": [{"perform": "service.rating", "expect": {"value": "shown"}}]}`,
			`step 0 (perform "service.rating"): value: expected shown, found requested; the answer is {"status":"performed","value":"requested"}`},
		{`{"steps": [{"perform": "service.group", "arguments": {"actions": [["x", {}]]}, "expect": {"items": [{"status": "performed"}]}}]}`,
			`step 0 (perform "service.group"): items: 0: status: expected performed, found not_found`},
		{`{"steps": [{"perform": "service.group", "arguments": {"actions": [["x", {}]]}, "expect": {"items": []}}]}`,
			`step 0 (perform "service.group"): items: expected [], found [`},
		{`{"steps": [{"trigger": "x", "source": {"kind": "push"}, "expect": {"status": "performed"}}, {"start": true}]}`,
			`step 0 (trigger "x"): status: expected performed, found not_found`},
		{`{"steps": [{"trigger": "x", "source": {"kind": "push"}, "expect": {"status": "performed"}}]}`,
			`step 0 (trigger "x"): there is no answer`},
		{`{"steps": [{"validate": "service.clipboard", "expect": {"ok": true}}]}`,
			`step 0 (validate "service.clipboard"): ok: expected true, found false; the answer is {"at":["/t"],"ok":false}`},
		{`{"steps": [{"validate": "service.clipboard", "expect": {"at": ["/l"]}}]}`,
			`step 0 (validate "service.clipboard"): at: 0: expected /l, found /t; the answer is {"at":["/t"],"ok":false}`},
		{`{"steps": [{"capability": "service.clipboard", "expect": {"state": "unsupported"}}]}`,
			`step 0 (capability "service.clipboard"): state: expected unsupported, found available; the answer is {"state":"available"}`},
		{`{"steps": [` + register + `{"list": true, "expect": {"identifiers": ["X"]}}]}`,
			`step 1 (list ""): identifiers: 0: expected X, found x; the answer is {"identifiers":["x"]}`},
		{`{"steps": [{"perform": "service.dismiss"}], "effects": []}`, `effect 0 should not be: {"host":"dismiss"}`},
		{`{"steps": [], "effects": [{"host": "dismiss"}]}`, `effect 0 is missing: map[host:dismiss]`},
		{`{"steps": [{"perform": "service.dismiss"}], "effects": [{"host": "review.request"}]}`,
			`effect 0: host: expected review.request, found dismiss in {"host":"dismiss"}`},
		{`{"steps": [` + register + `{"perform": "x", "arguments": {"n": 9007199254740993}}], "effects": [{"handler": "x", "arguments": {"n": 9007199254740992}}]}`, `effect 0: arguments: expected map[n:9007199254740992], found map[n:9007199254740993]`},
		{`{"steps": [` + register + `{"perform": "x", "arguments": {"n": null}}], "effects": [{"handler": "x", "arguments": {}}]}`,
			`effect 0: arguments: expected map[], found map[n:<nil>]`},
		{`{"steps": [` + register + `{"perform": "x"}], "effects": [{"handler": "x", "source": {"kind": "push"}}]}`,
			`effect 0: source: expected map[kind:push], found manual`},
	} {
		vectors, err := actionstest.ParseVectors([]byte("[" + c.vector + "]"))
		if err != nil {
			t.Errorf("%s: %v", c.vector, err)
			continue
		}
		problems := actionstest.Check(vectors[0], actionstest.NewRegistrySubject(vectors[0].Host))
		if len(problems) != 1 || !strings.HasPrefix(problems[0], c.problem) {
			t.Errorf("%s:\n got %q\nwant %s", c.vector, problems, c.problem)
		}
	}
}

func TestCheckIsContentWithWhatIsRight(t *testing.T) {
	const vectors = `[
		{"steps": [{"trigger": "x", "source": {"kind": "push"}}], "effects": []},
		{"steps": [{"perform": "service.dismiss"}]},
		{"steps": [{"register": "x", "handler": "record"}, {"perform": "x", "arguments": {"n": 1}}], "effects": [{"handler": "x", "arguments": {"n": 1.0}, "source": {"kind": "manual", "payload": null}}]},
		{"steps": [{"register": "x", "handler": "wait-record"}, {"trigger": "x", "source": "push", "expect": {"status": "performed"}}, {"start": true}], "effects": [{"handler": "x", "source": {"kind": "push"}}]},
		{"steps": [{"validate": "service.user.tag", "expect": {"at": ["/t", "/c", "/a"]}}]}]`
	parsed, err := actionstest.ParseVectors([]byte(vectors))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range parsed {
		if problems := actionstest.Check(v, actionstest.NewRegistrySubject(v.Host)); len(problems) != 0 {
			t.Errorf("case %d: %q", i, problems)
		}
	}
}

func TestVectorsThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                     "a vector file holds an array of cases",
		`[5]`:                                    "case 0 is no object",
		`[{"about": 5}]`:                         `case 0 (5): "about" is of a wrong type`,
		`[{"about": "x", "steps": [5]}]`:         "case 0 (x): step 0: is no object",
		`[{"about": "x", "steps": [{}]}]`:        `case 0 (x): step 0: says none of`,
		`[{"steps": [{"perform": 5}]}]`:          `case 0 (<nil>): step 0: "perform" is no string`,
		`[{"steps": [{"list": 1, "start": 1}]}]`: `case 0 (<nil>): step 0: says both "start" and "list"`,
		`[{"host": {"without": "x"}}]`:           `case 0 (<nil>): "without" is of a wrong type`,
		`[{"steps": [{"trigger": "x", "source": {"kind": 5}}]}]`: `case 0 (<nil>): step 0: "kind" is of a wrong type`,
		`[{}`: "a comma or a closing bracket is missing at byte 3 of the JSON text",
	} {
		if _, err := actionstest.ParseVectors([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	dir := t.TempDir()
	if _, err := actionstest.ReadVectors(dir); err == nil {
		t.Error("a directory without vectors is read without a complaint")
	}
	if _, err := actionstest.ReadVectors(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a directory that is not there is read without a complaint")
	}
}

// TestFurtherVectors shows that REHEARSAL_VECTORS is heard.
func TestFurtherVectors(t *testing.T) {
	own, further := t.TempDir(), t.TempDir()
	for dir, about := range map[string]string{own: "own", further: "further"} {
		text := fmt.Sprintf(`[{"about": %q, "host": {"version": %q}, "steps": [{"perform": "service.dismiss"}], "effects": [{"host": "dismiss"}]}]`, about, about)
		if err := os.WriteFile(filepath.Join(dir, "case.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("REHEARSAL_VECTORS", further)
	var ran []string
	actionstest.RunVectors(t, own, func(spec actionstest.HostSpec) actionstest.Subject {
		ran = append(ran, spec.Version)
		return actionstest.NewRegistrySubject(spec)
	})
	if fmt.Sprint(ran) != "[own further]" {
		t.Errorf("vectors that ran: %v", ran)
	}
}

func TestHost(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	r := actions.New(actions.Options{Host: host.Capabilities()})
	if _, err := r.Register("say-hello", host.Handler); err != nil {
		t.Fatal(err)
	}
	host.Record(actionstest.Effect{"test": "begins"})
	r.Perform("say-hello", actions.Arguments{"n": 1})
	r.Perform("service.user.event", actions.Arguments{"e": "e", "l": "l", "t": []string{"t"}})
	host.Refuse(actions.CapabilityClipboard, actions.Blocked("no gesture"))
	r.Perform("service.clipboard", actions.Arguments{"t": "refused"})
	host.Refuse(actions.CapabilityClipboard, nil)
	r.Perform("service.clipboard", actions.Arguments{"t": "granted"})
	want := `[{"test":"begins"} {"arguments":{"n":1},"handler":"say-hello","source":"manual"} ` +
		`{"data":{},"host":"event","label":"l","name":"e","tags":["t"]} {"host":"clipboard.write","text":"granted"}]`
	if got := fmt.Sprint(host.Effects()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	host.Reset()
	if got := host.Effects(); len(got) != 0 {
		t.Errorf("after Reset: %v", got)
	}

	host.AnswerLater(true)
	host.SetNotifications(actions.PermissionAuthorized)
	task := r.PerformAsync("service.request_notifications", nil)
	if _, done := task.Result(); done || len(host.Effects()) != 1 {
		t.Errorf("before the answer: %v, effects %v", done, host.Effects())
	}
	if !host.Answer() || host.Answer() || task.Wait().Value != "authorized" {
		t.Errorf("after the answer: %+v", task.Wait())
	}
	if text := (actionstest.Effect{"f": func() {}}).String(); !strings.Contains(text, "a type that is not allowed") {
		t.Errorf("an effect that is no JSON is shown as %s", text)
	}
}
