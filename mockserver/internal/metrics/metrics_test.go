package metrics_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var (
	metaLine   = regexp.MustCompile(`^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$`)
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\["\\n])*",?)*)\})? (\S+)$`)
)

// parse reads the text format as Prometheus does, and fails on everything that Prometheus refuses: a sample outside of its family, a family
// in two pieces, a sample twice, buckets that go down.
func parse(t *testing.T, text string) map[string]float64 {
	t.Helper()
	samples, kinds, family := map[string]float64{}, map[string]string{}, ""
	lastBucket := map[string]float64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if meta := metaLine.FindStringSubmatch(line); meta != nil {
			if meta[1] == "HELP" {
				if family = meta[2]; kinds[family] != "" {
					t.Errorf("%s comes in two pieces", family)
				}
			} else if kinds[family] = meta[3]; meta[2] != family || meta[3] != "counter" && meta[3] != "gauge" && meta[3] != "histogram" {
				t.Errorf("line %q after the help of %s", line, family)
			}
			continue
		}
		sample := sampleLine.FindStringSubmatch(line)
		if sample == nil {
			t.Errorf("line %q", line)
			continue
		}
		name := sample[1]
		if kinds[family] == "histogram" {
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				name = strings.TrimSuffix(name, suffix)
			}
		}
		if name != family || strings.HasSuffix(family, "_total") != (kinds[family] == "counter") {
			t.Errorf("%q stands in the family %s of kind %s", line, family, kinds[family])
		}
		value, err := strconv.ParseFloat(sample[4], 64)
		must.Hold(t, err == nil && !math.IsNaN(value), "%q: %v", line, err)
		key := sample[1] + sample[2]
		if _, twice := samples[key]; twice {
			t.Errorf("%s is there twice", key)
		}
		samples[key] = value
		if strings.HasSuffix(sample[1], "_bucket") {
			series, _, _ := strings.Cut(key, `le="`)
			must.Hold(t, value >= lastBucket[series], "%s goes down", key)
			lastBucket[series] = value
		}
	}
	return samples
}

func written(server *metrics.Server, routes ...*metrics.Route) string {
	out := &metrics.Writer{}
	server.Write(out, routes)
	metrics.WriteProcess(out, 12.5)
	return string(out.Bytes())
}

func TestServer(t *testing.T) {
	var server metrics.Server
	route, other := &metrics.Route{Name: `a "quoted\route"` + "\n\xff"}, &metrics.Route{Name: "never"}
	parse(t, written(&server, route, other))
	for _, seconds := range []float64{0, 0.00005, 0.00006, 0.2, 31} {
		route.Count(200, seconds)
	}
	route.Count(429, 1)
	server.Errors.Add("CONFLICT", 1)
	server.Errors.Add("CONFLICT", 2)
	server.Exports.Add("userbase", 1)
	server.InFlight.Add(3)
	server.Downloaded.Add(1 << 40)
	got := parse(t, written(&server, route, other))
	label := `route="a \"quoted\\route\"\n` + "\uFFFD" + `"`
	for name, want := range map[string]float64{
		`rehearsal_http_requests_total{` + label + `,status="200"}`:                 5,
		`rehearsal_http_requests_total{` + label + `,status="429"}`:                 1,
		`rehearsal_http_request_duration_seconds_bucket{` + label + `,le="5e-05"}`:  2,
		`rehearsal_http_request_duration_seconds_bucket{` + label + `,le="0.0001"}`: 3,
		`rehearsal_http_request_duration_seconds_bucket{` + label + `,le="0.5"}`:    4,
		`rehearsal_http_request_duration_seconds_bucket{` + label + `,le="30"}`:     5,
		`rehearsal_http_request_duration_seconds_bucket{` + label + `,le="+Inf"}`:   6,
		`rehearsal_http_request_duration_seconds_count{` + label + `}`:              6,
		`rehearsal_http_requests_in_flight`:                                         3,
		`rehearsal_errors_total{name="CONFLICT"}`:                                   3,
		`rehearsal_exports_created_total{kind="userbase"}`:                          1,
		`rehearsal_download_bytes_total`:                                            1 << 40,
		`process_start_time_seconds`:                                                12.5,
	} {
		if value, there := got[name]; !there || value != want {
			t.Errorf("%s is %v (%v), want %v", name, value, there, want)
		}
	}
	if sum := got[`rehearsal_http_request_duration_seconds_sum{`+label+`}`]; math.Abs(sum-32.20011) > 1e-6 {
		t.Errorf("the sum is %v", sum)
	}
	if got["go_goroutines"] < 1 || got["go_memstats_heap_alloc_bytes"] <= 0 || got["go_memstats_sys_bytes"] <= 0 {
		t.Errorf("the process has %v", got)
	}
	if text := written(&server, other); strings.Contains(text, "never") {
		t.Errorf("a route that nobody asked has samples: %s", text)
	}
}

// TestManyAtOnce: nothing is lost, and a label is there once.
func TestManyAtOnce(t *testing.T) {
	var counter metrics.Counter
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 1000 {
				counter.Add(fmt.Sprint(i%7), 1)
				counter.Each(func(string, uint64) {})
			}
		})
	}
	group.Wait()
	total, labels := uint64(0), ""
	counter.Each(func(label string, value uint64) { total += value; labels += label })
	must.Hold(t, total == 8000 && labels == "0123456", "counted %d under %q", total, labels)
}

// FuzzLabel: whatever a label is, the text can be read.
func FuzzLabel(f *testing.F) {
	f.Add("plain", 1.5)
	f.Add("\\\"\n\r\x00\xff,}=", math.Inf(1))
	f.Fuzz(func(t *testing.T, label string, value float64) {
		if math.IsNaN(value) {
			return
		}
		out := &metrics.Writer{}
		out.Family("x", "gauge", label)
		out.Sample("x", value, metrics.Label{Name: "a", Value: label}, metrics.Label{Name: "b", Value: label})
		if label = strings.ReplaceAll(label, "\n", ""); label == "" {
			return // a help text of nothing
		}
		if samples := parse(t, string(out.Bytes())); len(samples) != 1 {
			t.Errorf("%d samples in %q", len(samples), out.Bytes())
		}
	})
}
