package proxy_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
)

// BenchmarkPassing compares the proxy with a reverse proxy that does nothing else, in the same run.
func BenchmarkPassing(b *testing.B) {
	for name, size := range map[string]int{"300 bytes": 300, "64 megabytes": 64 << 20} {
		body := bytes.Repeat([]byte("0123456789abcde\n"), size/16)
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }))
		defer service.Close()
		address, err := url.Parse(service.URL)
		if err != nil {
			b.Fatal(err)
		}
		bare := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(address) }, Transport: proxy.Transport(&http.Transport{}), FlushInterval: -1, BufferPool: &pool{}}
		plain := httptest.NewServer(bare)
		defer plain.Close()
		ours := before(b, service.URL)
		unkept := before(b, service.URL, func(o *proxy.Options) { o.MostBody = 0 })
		for _, of := range []struct{ name, base string }{{"bare", plain.URL}, {"ours", unkept.URL}, {"ours with copies", ours.URL}} {
			b.Run(name+"/"+of.name, func(b *testing.B) {
				client := &http.Client{Transport: proxy.Transport(&http.Transport{})}
				b.SetBytes(int64(len(body)))
				b.RunParallel(func(each *testing.PB) {
					for each.Next() {
						answer, err := client.Get(of.base)
						if err != nil {
							b.Error(err)
							return
						}
						io.Copy(io.Discard, answer.Body)
						answer.Body.Close()
					}
				})
			})
		}
	}
}

// pool keeps buffers, as the proxy does.
type pool struct{ kept sync.Pool }

func (p *pool) Get() []byte {
	if buffer, is := p.kept.Get().(*[]byte); is {
		return *buffer
	}
	return make([]byte, 64<<10)
}

func (p *pool) Put(buffer []byte) { p.kept.Put(&buffer) }
