package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// passing is a proxy started by the command.
type passing struct {
	base   string
	output *locked
	stop   func() int
}

func startProxy(t *testing.T, arguments ...string) *passing {
	t.Helper()
	return startProxyUnder(context.Background(), t, arguments...)
}

// startProxyUnder is a proxy whose end is the end of a context of its own below another.
func startProxyUnder(above context.Context, t *testing.T, arguments ...string) *passing {
	t.Helper()
	ctx, cancel := context.WithCancel(above)
	reader, writer := io.Pipe()
	p := &passing{output: &locked{}}
	ended, copied := make(chan int, 1), make(chan struct{})
	go func() {
		ended <- run(ctx, append([]string{"proxy", "--addr", "127.0.0.1:0"}, arguments...),
			terminal{out: writer, err: p.output, now: time.Now, environment: func(string) string { return "" }})
		writer.Close()
	}()
	lines := bufio.NewReader(reader)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("no first line, exit code %d: %s", <-ended, p.output)
	}
	p.base = strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
	go func() {
		defer close(copied)
		io.Copy(p.output, lines)
	}()
	p.stop = func() int {
		cancel()
		code := <-ended
		ended <- code
		<-copied
		return code
	}
	t.Cleanup(func() { p.stop() })
	return p
}

// download makes a userbase export through the proxy, and reads its file.
func (p *passing) download(t *testing.T, path string) string {
	t.Helper()
	ask := func(method, address, body string) []byte {
		request, _ := http.NewRequest(method, address, strings.NewReader(body))
		request.Header.Set("X-Authorization", "rest_demo")
		request.Header.Set("Content-Type", "application/json")
		answer := must.Get(http.DefaultClient.Do(request))(t)
		defer answer.Body.Close()
		return must.Get(io.ReadAll(answer.Body))(t)
	}
	var made struct {
		ID string `json:"requestId"`
	}
	must.Do(t, json.Unmarshal(ask("POST", p.base+"/1.0/live_demo/export/"+path, `{"ids":["install_id","custom_id"]}`), &made))
	var record struct {
		Link string `json:"file_url"`
	}
	for range 5 {
		must.Do(t, json.Unmarshal(ask("GET", p.base+"/1.0/live_demo/export/request/"+made.ID, ""), &record))
		if record.Link != "" {
			return string(ask("GET", record.Link, ""))
		}
	}
	t.Fatal("the export did not end")
	return ""
}

// driftingOverlay has a column more.
func driftingOverlay(t *testing.T) string {
	t.Helper()
	var shown bytes.Buffer
	if code := run(context.Background(), []string{"schemas", "show", "userbase"},
		terminal{out: &shown, err: &shown, environment: func(string) string { return "" }, now: func() time.Time { return noon }}); code != 0 {
		t.Fatal(shown.String())
	}
	directory := t.TempDir()
	text := strings.Replace(shown.String(), `"required": [`, `"required": ["loyalty", `, 1)
	text = strings.Replace(text, `"properties": {`, `"properties": {"loyalty": {"enum": ["true", "false"]},`, 1)
	must.Do(t, os.MkdirAll(filepath.Join(directory, "legacy"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(directory, "legacy", "userbase.row.json"), []byte(text), 0o644))
	return directory
}

// TestProxy: a drift is reported in every format, is known the next time, and its overlay ends it; no credential is in what was written.
func TestProxy(t *testing.T) {
	service := start(t, nil, "--port", "0", "--state", "memory", "--progress", "now", "--profiles", "50", "--schemas", driftingOverlay(t))
	place := t.TempDir()
	in := func(name string) string { return filepath.Join(place, name) }
	common := []string{"--upstream", service.base, "--rewrite-links"}

	first := startProxy(t, append(common, "--suggest-overlay", in("overlay"), "--format", "json", "--report", in("report.ndjson"))...)
	if file := first.download(t, "userbase"); !strings.Contains(file, ";loyalty\n") {
		t.Fatalf("got %.200s", file)
	}
	must.Equal(t, first.stop(), exitFailed, "exit code: %s", first.output)
	if line := "1 drift: " + in("report.ndjson") + "; overlay: " + in("overlay") + "\n"; !strings.Contains(first.output.String(), line) {
		t.Errorf("%q is not in %s", line, first.output)
	}
	report, _ := os.ReadFile(in("report.ndjson"))
	var found struct {
		Finding struct {
			ID, State string
			Details   struct{ Overlay []struct{ File string } }
		}
	}
	line, _, _ := strings.Cut(string(report), "\n")
	if err := json.Unmarshal([]byte(line), &found); err != nil || found.Finding.State != "new" || len(found.Finding.Details.Overlay) == 0 ||
		strings.Count(string(report), `{"finding"`) != 1 {
		t.Fatalf("got %s, %v", report, err)
	}
	if !strings.Contains(string(report), `"mock":"shows it"`) || !strings.Contains(string(report), `"shown":1`) {
		t.Errorf("a mock under the overlay has a column more, and the report does not say so: %s", report)
	}
	holdsNoSecret(t, place, first.output.String())

	must.Do(t, os.WriteFile(in("known"), []byte("# loyalty\n"+found.Finding.ID+"  a column more\n000000000000\n"), 0o644))
	for name, c := range map[string]struct {
		arguments []string
		code      int
		says      string
	}{
		"known":           {[]string{"--known-drifts", in("known")}, exitOK, "known and not found any more: 000000000000"},
		"below the level": {[]string{"--fail-on", "high"}, exitOK, "1 drift, 0 lints"},
		"never":           {[]string{"--fail-on", "never", "--format", "junit"}, exitOK, "<skipped"},
		"junit":           {[]string{"--format", "junit"}, exitFailed, "<failure"},
		"html":            {[]string{"--format", "html"}, exitFailed, "<h1>1 finding</h1>"},
		"a file of html":  {[]string{"--report", in("report.html")}, exitFailed, "1 drift: "},
		"sarif":           {[]string{"--format", "sarif"}, exitFailed, "partialFingerprints"},
		"the overlay":     {[]string{"--schemas", in("overlay")}, exitOK, "0 drifts, 0 lints"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startProxy(t, append(common, c.arguments...)...)
			p.download(t, "userbase")
			if code := p.stop(); code != c.code || !strings.Contains(p.output.String(), c.says) {
				t.Errorf("exit code %d: %s", code, p.output)
			}
			if _, document, is := strings.Cut(p.output.String(), "<?xml"); is {
				must.Equal(t, xml.Unmarshal([]byte("<?xml"+document), new(struct{ XMLName xml.Name })), nil, "the error")
			}
			holdsNoSecret(t, place, p.output.String())
		})
	}
	if page, _ := os.ReadFile(in("report.html")); !strings.HasPrefix(string(page), "<!doctype html>") ||
		!strings.Contains(string(page), found.Finding.ID) {
		t.Errorf("got the page %s", page)
	}
	mock := start(t, nil, "--port", "0", "--state", "memory", "--progress", "now", "--profiles", "50", "--schemas", in("overlay"))
	p := startProxy(t, "--upstream", mock.base)
	if file := p.download(t, "userbase"); !strings.Contains(file, ";loyalty\n") {
		t.Errorf("the mock under the suggested overlay makes %.200s", file)
	}
	p.stop()
}

// holdsNoSecret looks for the credentials of the demo in all files of a directory.
func holdsNoSecret(t *testing.T, directory string, printed ...string) {
	t.Helper()
	texts := map[string]string{"what was printed": strings.Join(printed, "\n")}
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if !strings.Contains(path, "overlay") { // schema files have examples with the demo keys
			texts[path] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		for _, secret := range []string{"rest_demo", "live_demo", "signature="} {
			if strings.Contains(text, secret) {
				t.Errorf("%s is in %s: %s", secret, name, text)
			}
		}
	}
}

// TestProxyExits: what keeps the proxy from a report is told apart from drifts.
func TestProxyExits(t *testing.T) {
	taken := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(taken, "mine.json"), nil, 0o644))
	for name, c := range map[string]struct {
		arguments []string
		says      string
	}{
		"no upstream":              {nil, "--upstream is missing"},
		"no URL":                   {[]string{"--upstream", "api.example.com"}, "must begin with http"},
		"credentials in the URL":   {[]string{"--upstream", "https://me:secret@api.example.com"}, "those of the client"},
		"a level":                  {[]string{"--upstream", "http://a", "--fail-on", "hihg"}, "did you mean high?"},
		"a format":                 {[]string{"--upstream", "http://a", "--format", "xml"}, "text, json, junit, sarif or html"},
		"a directory that is used": {[]string{"--upstream", "http://a", "--suggest-overlay", taken}, "is not empty"},
		"a file for a directory": {[]string{"--upstream", "http://a", "--suggest-overlay", filepath.Join(taken, "mine.json")},
			"--suggest-overlay"},
		"a file for a recording": {[]string{"--upstream", "http://a", "--record", filepath.Join(taken, "mine.json")}, "--record"},
	} {
		var printed bytes.Buffer
		code := run(context.Background(), append([]string{"proxy"}, c.arguments...),
			terminal{out: &printed, err: &printed, now: func() time.Time { return noon }, environment: func(string) string { return "" }})
		if code != exitUsage || !strings.Contains(printed.String(), c.says) {
			t.Errorf("%s: exit code %d: %s", name, code, &printed)
		}
		if strings.Contains(printed.String(), "secret@") {
			t.Errorf("%s: a secret was printed: %s", name, &printed)
		}
	}
	unused := startProxy(t, "--upstream", "http://127.0.0.1:1")
	if code := unused.stop(); code != exitUnread || !strings.Contains(unused.output.String(), "nothing was seen") {
		t.Errorf("exit code %d: %s", code, unused.output)
	}
	alone := startProxy(t, "--upstream", "http://127.0.0.1:1")
	answer, err := http.Get(fmt.Sprint(alone.base, "/1.0/live_demo/export/request/x"))
	if err != nil || answer.StatusCode != http.StatusBadGateway {
		t.Errorf("got %v, %v", answer, err)
	}
	must.Equal(t, alone.stop(), exitUnread, "exit code: %s", alone.output)
}

// TestReportSoFar: a drift is in the file of the report as soon as it is found, with the sentence of the service, in which the
// values of the request are masked.
func TestReportSoFar(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"code": 30, "type": "MALFORMED_PARAMETER", "message": "at most one of ids, and there are install_id, custom_id"}`)
	}))
	defer service.Close()
	report := filepath.Join(t.TempDir(), "report.txt")
	p := startProxy(t, "--upstream", service.URL, "--report", report)
	request := must.Get(http.NewRequest("POST", p.base+"/1.0/live_demo/export/userbase",
		strings.NewReader(`{"ids":["install_id","custom_id"]}`)))(t)
	request.Header.Set("Content-Type", "application/json")
	must.Get(http.DefaultClient.Do(request))(t).Body.Close()
	for patience := time.Now().Add(time.Minute); ; runtime.Gosched() {
		text, _ := os.ReadFile(report)
		if strings.Contains(string(text), "at most one of ids, and there are aaaaaaa_aa, aaaaaa_aa") {
			break
		}
		if time.Now().After(patience) {
			t.Fatalf("the report has no drift: %s", text)
		}
	}
	p.stop()
}

// TestProxyIsInterruptedTwice: another signal ends the checks after the first one, with a sentence and the report so far.
func TestProxyIsInterruptedTwice(t *testing.T) {
	service := start(t, nil, "--port", "0", "--state", "memory", "--progress", "now", "--profiles", "50", "--schemas", driftingOverlay(t))
	second, signal := context.WithCancelCause(context.Background())
	signal(signalError{os.Interrupt})
	above := context.WithValue(context.Background(), nextKey{}, &nextSignal{Context: second})
	p := startProxyUnder(above, t, "--upstream", service.base, "--rewrite-links", "--suggest-overlay", filepath.Join(t.TempDir(), "overlay"))
	p.download(t, "userbase")
	code := p.stop()
	for _, part := range []string{"interrupted (SIGINT): not every file was checked", "0 files checked", "0 drifts, "} {
		if code != exitUnread || !strings.Contains(p.output.String(), part) {
			t.Errorf("exit code %d, and %q is missing: %s", code, part, p.output)
		}
	}
}

// TestProxyKeepsItsReport: what cannot be written is said before anything is passed on, and what cannot be written any more
// at the end does not take the report with it.
func TestProxyKeepsItsReport(t *testing.T) {
	place := t.TempDir()
	file := filepath.Join(place, "file")
	must.Do(t, os.WriteFile(file, nil, 0o644))
	for flag, path := range map[string]string{"--report": filepath.Join(place, "absent", "report.txt"),
		"--suggest-overlay": filepath.Join(file, "overlay")} {
		var printed bytes.Buffer
		ended, cancel := context.WithCancel(context.Background())
		cancel() // one that starts all the same ends at once
		code := run(ended, []string{"proxy", "--addr", "127.0.0.1:0", "--upstream", "http://127.0.0.1:1", flag, path},
			terminal{out: &printed, err: &printed, now: func() time.Time { return noon }, environment: func(string) string { return "" }})
		if code == exitOK || code == exitFailed || !strings.Contains(printed.String(), flag) || strings.Contains(printed.String(), "listening") {
			t.Errorf("%s: exit code %d: %s", flag, code, &printed)
		}
	}
	service := start(t, nil, "--port", "0", "--state", "memory", "--progress", "now", "--profiles", "50", "--schemas", driftingOverlay(t))
	report, overlay := filepath.Join(place, "reports", "report.txt"), filepath.Join(place, "overlay")
	must.Do(t, os.Mkdir(filepath.Dir(report), 0o755))
	p := startProxy(t, "--upstream", service.base, "--rewrite-links", "--report", report, "--suggest-overlay", overlay)
	p.download(t, "userbase")
	for _, gone := range []string{filepath.Dir(report), overlay} {
		must.Do(t, os.RemoveAll(gone))
	}
	must.Do(t, os.WriteFile(overlay, nil, 0o644))
	code := p.stop()
	for _, part := range []string{"loyalty", "1 drift, ", "--report: ", "the report was printed instead", "--suggest-overlay: "} {
		if code != exitUnread || !strings.Contains(p.output.String(), part) {
			t.Errorf("exit code %d, and %q is missing: %s", code, part, p.output)
		}
	}
}
