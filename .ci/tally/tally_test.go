package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClosingLines(t *testing.T) {
	cases := []struct {
		line string
		want Counts
	}{
		{"12 passed, 3 failed", Counts{12, 3, 0}},
		{"12 passed, 3 failed, 4 skipped", Counts{12, 3, 4}},
		{"lint: 12 passed, 3 failed", Counts{12, 3, 0}},
		{"=== 5 passed in 0.31s ===", Counts{5, 0, 0}},
		{"=== 1 failed, 5 passed, 2 skipped in 0.31s ===", Counts{5, 1, 2}},
		{"# pass 7", Counts{7, 0, 0}},
		{"ℹ fail 2", Counts{0, 2, 0}},
		{"# skipped 1", Counts{0, 0, 1}},
		{"[INFO] Tests run: 9, Failures: 1, Errors: 2, Skipped: 3", Counts{3, 3, 3}},
		{"[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in OneClass", Counts{}},
		{"ajv: 32 schemas, 200 valid and 600 invalid samples, 3 disagreements", Counts{797, 3, 0}},
		{"java: skipped: there is no mvn", Counts{0, 0, 1}},
		{"the test passed", Counts{}},
		{"# tests 7", Counts{}},
	}
	for _, c := range cases {
		if got := countLine(c.line); got != c.want {
			t.Errorf("%q: %v, want %v", c.line, got, c.want)
		}
	}
}

func TestGoEvents(t *testing.T) {
	stream := `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:1: broken\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"b is fine\n"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"c_test.go:1: needs a printer\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"fail","Package":"p"}
{"Action":"output","Package":"q","Output":"panic: q\n"}
{"Action":"fail","Package":"q"}
{"Action":"skip","Package":"empty"}
`
	var out bytes.Buffer
	counts, err := countGo(&out, strings.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Counts{1, 2, 1}); counts != want {
		t.Errorf("counts %v, want %v", counts, want)
	}
	for _, want := range []string{"broken", "needs a printer", "panic: q"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "b is fine") {
		t.Errorf("output shows a passing test:\n%s", &out)
	}
}

func TestSteps(t *testing.T) {
	cases := []struct {
		name string
		run  func(out *bytes.Buffer) (Counts, error)
		want Counts
		ok   bool
	}{
		{"suite that passes", func(out *bytes.Buffer) (Counts, error) {
			return runSuite(out, "x", []string{"echo", "2 passed, 0 failed"})
		}, Counts{Passed: 2}, true},
		{"suite that says nothing", func(out *bytes.Buffer) (Counts, error) { return runSuite(out, "x", []string{"true"}) }, Counts{}, false},
		{"suite that dies after passes", func(out *bytes.Buffer) (Counts, error) {
			return runSuite(out, "x", []string{"sh", "-c", "echo 2 passed, 0 failed; exit 3"})
		}, Counts{Passed: 2}, false},
		{"check that passes", func(out *bytes.Buffer) (Counts, error) { return runCheck(out, "x", []string{"true"}) }, Counts{Passed: 1}, true},
		{"check that fails", func(out *bytes.Buffer) (Counts, error) { return runCheck(out, "x", []string{"false"}) }, Counts{}, false},
	}
	for _, c := range cases {
		counts, err := c.run(&bytes.Buffer{})
		if counts != c.want || (err == nil) != c.ok {
			t.Errorf("%s: %v, %v; want %v, ok %v", c.name, counts, err, c.want, c.ok)
		}
	}
}

func TestSumAddsTheRealCounts(t *testing.T) {
	directory := t.TempDir()
	for name, counts := range map[string]Counts{"go": {40, 0, 1}, "schemas: ajv": {3, 0, 0}} {
		if err := write(directory, name, counts); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := sum(&out, directory); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "\n43 passed, 0 failed, 1 skipped\n") {
		t.Errorf("the last line is not the sum:\n%s", &out)
	}
	if err := os.WriteFile(filepath.Join(directory, "bad.json"), []byte(`{"failed":1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := sum(&out, directory); err == nil {
		t.Error("a failure was not reported")
	}
}
