package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
)

// measureProxy sends requests through a reverse proxy that does nothing else and through that of the command, in turn; then
// downloads a file from a service as fast as a link of 1 Gbit/s, past the proxy and through one that records it and checks all rows.
func measureProxy(ctx context.Context, out io.Writer, p programs, s settings) error {
	for name, size := range map[string]int{"small": 304, "large": 64 << 20} {
		if err := os.WriteFile(filepath.Join(p.directory, name), bytes.Repeat([]byte("0123456789abcde\n"), size/16), 0o600); err != nil {
			return err
		}
	}
	stored, err := p.startBare(ctx, p.directory)
	if err != nil {
		return err
	}
	defer stored.stop()
	upstream := &url.URL{Scheme: "http", Host: stored.address}
	plain := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(upstream) }, Transport: proxy.Transport(&http.Transport{}), FlushInterval: -1, BufferPool: &buffers{}})
	defer plain.Close()
	beside, end, err := besides(upstream, p.directory, nil)
	if err != nil {
		return err
	}
	defer end()

	fmt.Fprintln(out, "\nrequests through a proxy\tbare reverse proxy\tours\tours/bare")
	for _, c := range []struct {
		about, path string
		connections int
		bytes       float64 // a MB/s, or 0 for requests a second
	}{{"300 bytes, answers/s", "/small", s.connections, 0}, {"64 MB, MB/s", "/large", 2, 64 << 20}} {
		var bare, ours samples
		for range s.rounds {
			for _, each := range []struct {
				base string
				into *samples
			}{{plain.URL, &bare}, {beside.URL, &ours}} {
				rate, err := answersPerSecond(ctx, each.base+c.path, c.connections, s.round/2)
				if err != nil {
					return err
				}
				if c.bytes > 0 {
					rate *= c.bytes / 1e6
				}
				*each.into = append(*each.into, rate)
			}
		}
		fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%s\n", c.about, bare.median(), ours.median(), atLeast(ratios(ours, bare).median(), aimProxy))
	}
	var bare, ours samples
	for range s.rounds {
		for base, into := range map[string]*samples{plain.URL: &bare, beside.URL: &ours} {
			rate, err := answersPerSecond(ctx, base+"/small", 1, s.round/2)
			if err != nil {
				return err
			}
			*into = append(*into, 1000/rate)
		}
	}
	fmt.Fprintf(out, "one after another, ms each\t%.2f\t%.2f\tadds %s\n", bare.median(), ours.median(), atMost(max(ours.median()-bare.median(), 0), aimAdded))
	return measureRecording(ctx, out, p, s)
}

// measureRecording compares a download past the proxy with one that is recorded and checked, its checks included.
func measureRecording(ctx context.Context, out io.Writer, p programs, s settings) error {
	const bytesPerSecond = 119e6
	served, err := p.startServed(ctx, "memory", "--profiles", "400000", "--now", "2025-09-20T12:00:00Z")
	if err != nil {
		return err
	}
	defer served.stop()
	service := &url.URL{Scheme: "http", Host: served.address}
	link := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(service); r.Out.Host = r.In.Host }, FlushInterval: -1, BufferPool: &buffers{},
		ModifyResponse: func(r *http.Response) error {
			r.Body = &paced{ReadCloser: r.Body, began: time.Now(), bytesPerSecond: bytesPerSecond}
			return nil
		},
	})
	defer link.Close()
	slow, err := url.Parse(link.URL)
	if err != nil {
		return err
	}
	var past, through samples
	for round := range s.rounds + 1 { // the first one makes the file
		for _, into := range []*samples{&past, &through} {
			host, end := slow.Host, func() error { return nil }
			if into == &through {
				observer, err := drift.New(nil)
				if err != nil {
					return err
				}
				directory := filepath.Join(p.directory, fmt.Sprint("recording-", round))
				recorded, err := recorder.New(directory, time.Now(), nil)
				if err != nil {
					return err
				}
				observer.OnObserved(recorded.Add)
				beside, ended, err := besides(slow, p.directory, observer)
				if err != nil {
					return err
				}
				host = beside.Listener.Addr().String()
				end = func() error {
					ended()
					_, err := recorded.Close()
					return errors.Join(err, observer.Finish(ctx, p.directory), os.RemoveAll(directory))
				}
			}
			began := time.Now()
			file, err := exportLink(host, "/1.0/"+demo.LiveKey+"/export/userbase", `{"ids":["install_id","custom_id","advertising_id"]}`)
			if err != nil {
				return errors.Join(err, end())
			}
			_, err = fetch(ctx, file, 1<<40, io.Discard)
			if err := errors.Join(err, end()); err != nil {
				return err
			}
			if round > 0 {
				*into = append(*into, time.Since(began).Seconds())
			}
		}
	}
	fmt.Fprintf(out, "a file at 1 Gbit/s, recorded and checked, s\t%.2f\t%.2f\t%s\n", past.median(), through.median(), atLeast(ratios(past, through).median(), aimRecorded))
	return nil
}

// besides starts a proxy; without an observer, nothing is kept.
func besides(upstream *url.URL, directory string, observer *drift.Observer) (server *httptest.Server, end func(), err error) {
	options := proxy.Options{
		Upstream: upstream, Transport: proxy.Transport(&http.Transport{}), Directory: directory, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Observe: func(x *drift.Exchange) {
			x.Sent.Body.Discard()
			x.Received.Body.Discard()
		},
	}
	if observer != nil {
		options.MostBody, options.Links = 1<<40, observer.ListsLinks
		options.Observe = func(x *drift.Exchange) { observer.Observe(x) }
	}
	p := proxy.New(options)
	server = httptest.NewServer(p)
	return server, func() { server.Close(); p.Close() }, nil
}

// answersPerSecond asks over some connections for a while.
func answersPerSecond(ctx context.Context, address string, connections int, round time.Duration) (float64, error) {
	client := &http.Client{Transport: proxy.Transport(&http.Transport{})}
	defer client.CloseIdleConnections()
	counts, faults := make([]int, connections), make([]error, connections)
	var asking sync.WaitGroup
	began := time.Now()
	for i := range connections {
		asking.Go(func() {
			for time.Since(began) < round && faults[i] == nil {
				request, err := http.NewRequestWithContext(ctx, "GET", address, nil)
				if err != nil {
					faults[i] = err
					return
				}
				answer, err := client.Do(request)
				if err != nil {
					faults[i] = err
					return
				}
				_, err = io.Copy(io.Discard, answer.Body)
				faults[i] = errors.Join(err, answer.Body.Close())
				counts[i]++
			}
		})
	}
	asking.Wait()
	sum := 0
	for _, each := range counts {
		sum += each
	}
	return float64(sum) / time.Since(began).Seconds(), errors.Join(faults...)
}

// paced is a body that comes no faster than a link.
type paced struct {
	io.ReadCloser
	began          time.Time
	bytesPerSecond float64
	read           int
}

func (p *paced) Read(into []byte) (int, error) {
	n, err := p.ReadCloser.Read(into)
	p.read += n
	time.Sleep(time.Duration(float64(p.read)/p.bytesPerSecond*float64(time.Second)) - time.Since(p.began))
	return n, err
}

// buffers are those of a reverse proxy, as ours has them.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if buffer, is := b.pool.Get().(*[]byte); is {
		return *buffer
	}
	return make([]byte, 64<<10)
}

func (b *buffers) Put(buffer []byte) { b.pool.Put(&buffer) }
