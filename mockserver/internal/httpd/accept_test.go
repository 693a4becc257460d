package httpd_test

import (
	"net/http"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestAcceptsGzip has one row for every way to ask, or not to ask.
func TestAcceptsGzip(t *testing.T) {
	for _, c := range []struct {
		accept     []string
		compressed bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"gzip"}, true},
		{[]string{"GZip"}, true},
		{[]string{"x-gzip"}, true},
		{[]string{"br, deflate, gzip"}, true},
		{[]string{"br", "gzip;q=0.1"}, true},
		{[]string{"br, deflate"}, false},
		{[]string{"gzipped"}, false},
		{[]string{"*"}, true},
		{[]string{"*;q=0"}, false},
		{[]string{"gzip;q=0"}, false},
		{[]string{"gzip; Q=0.000"}, false},
		{[]string{"gzip;q=0, *"}, false},
		{[]string{"gzip, *;q=0"}, true},
		{[]string{"identity"}, false},
		{[]string{"identity, gzip"}, true},
		{[]string{"identity;q=0.5, gzip;q=1.0"}, true},
		{[]string{"gzip;q=0.5, identity"}, false},
		{[]string{"gzip;q=0.5, identity;q=0.5"}, true},
		{[]string{"identity;q=0, gzip;q=0.001"}, true},
		{[]string{"*;q=0.5, identity"}, false},
		{[]string{"gzip;q=2"}, false},
		{[]string{"gzip;q=x"}, false},
		{[]string{"gzip;q=NaN"}, false},
		{[]string{"gzip;q="}, false},
		{[]string{",, ;q=1,gzip"}, true},
	} {
		must.Equal(t, httpd.AcceptsGzip(http.Header{"Accept-Encoding": c.accept}), c.compressed, "%q accepts gzip", c.accept)
	}
}

// TestEncoding: of several codings, the one that the client rates highest, and else the first.
func TestEncoding(t *testing.T) {
	for accepted, want := range map[string]string{
		"": "", "br": "br", "gzip": "gzip", "gzip, br": "br", "gzip;q=1, br;q=0.9": "gzip", "*": "br", "br;q=0, *": "gzip", "br;q=0, *;q=0": "",
		"identity":                             "",
		"br;q=0.2, gzip;q=0.3, identity;q=0.3": "gzip", "br;q=0.2, gzip;q=0.2, identity;q=0.3": "", "zstd": "",
	} {
		must.Equal(t, httpd.Encoding(http.Header{"Accept-Encoding": {accepted}}, "br", "gzip"), want, "the encoding for %q", accepted)
	}
}
