package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

// measureDownloads downloads generated files of two kinds beside the same bytes from a stored file, which net/http sends with
// sendfile; then looks at the API, and at the memory of the server, while many downloads run.
func measureDownloads(ctx context.Context, out io.Writer, p programs, s settings) error {
	served, err := p.startServed(ctx, "memory", "--profiles", "2000000", "--now", "2025-09-20T12:00:00Z")
	if err != nil {
		return err
	}
	defer served.stop()
	stored, err := p.startBare(ctx, p.directory)
	if err != nil {
		return err
	}
	defer stored.stop()

	fmt.Fprintln(out, "\ndownloads over loopback\tMB/s generated\tMB/s stored, sendfile\tgenerated/stored")
	var link string
	for _, kind := range []struct{ name, path, body string }{
		{"userbase", "/1.0/" + demo.LiveKey + "/export/userbase", `{"ids":["install_id","custom_id","advertising_id"]}`},
		{"profiles.events", "/2.7/profiles/export", `{"export_type":"EVENTS","from":"2025-09-18T00:00:00Z","to":"now","events":["email_sent","push_sent","sms_sent"]}`},
	} {
		made, err := exportLink(served.address, kind.path, kind.body)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if link == "" {
			link = made
		}
		if err := compareDownloads(ctx, out, kind.name, made, stored.address, p, s); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
	}
	if err := measureKept(ctx, out, stored.address, p, s); err != nil {
		return fmt.Errorf("a file that is kept: %w", err)
	}
	if err := measureProcessors(ctx, out, link, p, s); err != nil {
		return fmt.Errorf("with one processor: %w", err)
	}
	if err := measureLatency(ctx, out, served, link, s); err != nil {
		return err
	}
	return measureSlow(ctx, out, served, link)
}

// measureProcessors downloads a file from a server that has all processors, and from one that has one.
func measureProcessors(ctx context.Context, out io.Writer, link string, p programs, s settings) error {
	alone, err := p.startServedOn(ctx, "1", "memory", "--profiles", "2000000", "--now", "2025-09-20T12:00:00Z")
	if err != nil {
		return err
	}
	defer alone.stop()
	other, err := exportLink(alone.address, "/1.0/"+demo.LiveKey+"/export/userbase", `{"ids":["install_id","custom_id","advertising_id"]}`)
	if err != nil {
		return err
	}
	all, one, err := inTurn(ctx, 2*s.rounds, link, other)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\none download\tMB/s with all processors\tMB/s with one\tall/one")
	fmt.Fprintf(out, "userbase, %d processors\t%.0f\t%.0f\t%s\n", runtime.NumCPU(), all.median(), one.median(), atLeast(ratios(all, one).median(), aimProcessors))
	return nil
}

// measureKept downloads a file that is small enough to be kept in memory, for the second time.
func measureKept(ctx context.Context, out io.Writer, storedAt string, p programs, s settings) error {
	served, err := p.startServed(ctx, "memory", "--profiles", "250000", "--now", "2025-09-20T12:00:00Z")
	if err != nil {
		return err
	}
	defer served.stop()
	link, err := exportLink(served.address, "/1.0/"+demo.LiveKey+"/export/userbase", `{"ids":["install_id","custom_id","advertising_id"]}`)
	if err != nil {
		return err
	}
	return compareDownloads(ctx, out, "userbase, the second time", link, storedAt, p, s)
}

// askFor sends a request of a client with credentials, and returns the text of the answer and where it leads.
func askFor(address, method, path, body string) (text, location string, err error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequest(method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		return "", "", err
	}
	for name, value := range map[string]string{
		"X-Authorization": demo.CompanyKey, "Authorization": "Bearer " + demo.Token, "X-Service-Project": demo.ProjectKey, "Content-Type": "application/json",
	} {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 400 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, read)
	}
	return string(read), answer.Header.Get("Location"), err
}

// exportLink creates an export that is finished at once, and returns the link to its file.
func exportLink(address, path, body string) (string, error) {
	created, _, err := askFor(address, "POST", path, body)
	if err != nil {
		return "", err
	}
	if requestID.MatchString(created) {
		link, err := linkOf(address, created)
		if err == nil && link == "" {
			err = fmt.Errorf("no link for %s", created)
		}
		return link, err
	}
	groups := exportID.FindStringSubmatch(created)
	if groups == nil {
		return "", fmt.Errorf("no identifier in %s", created)
	}
	_, location, err := askFor(address, "GET", "/2.7/exports/download?id=file_"+groups[1]+"_1", "")
	return location, err
}

// linkOf is the link to the file of a legacy export, by the answer to its creation; empty while it is not finished.
func linkOf(address, created string) (string, error) {
	id := requestID.FindStringSubmatch(created)
	if id == nil {
		return "", fmt.Errorf("no identifier in %s", created)
	}
	record, _, err := askFor(address, "GET", "/1.0/"+demo.LiveKey+"/export/request/"+id[1], "")
	if groups := fileURL.FindStringSubmatch(record); groups != nil {
		return groups[1], err
	}
	return "", err
}

// finishedLink waits for the link.
func finishedLink(ctx context.Context, address, created string) (string, error) {
	for {
		if link, err := linkOf(address, created); err != nil || link != "" {
			return link, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

const size = 64 << 20 // of what is downloaded of a file
var (
	fileURL  = regexp.MustCompile(`"file_url" *: *"([^"]+)"`)
	exportID = regexp.MustCompile(`"id" *: *"export_([^"]+)"`)
)

// compareDownloads stores a file once and then downloads it, in turn, from both.
func compareDownloads(ctx context.Context, out io.Writer, name, link, storedAt string, p programs, s settings) error {
	target, err := os.Create(filepath.Join(p.directory, name))
	if err != nil {
		return err
	}
	_, err = fetch(ctx, link, size, target)
	if err := errors.Join(err, target.Close()); err != nil {
		return err
	}
	made, kept, err := inTurn(ctx, 2*s.rounds, link, "http://"+storedAt+"/"+name)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%s\n", name, made.median(), kept.median(), atLeast(ratios(made, kept).median(), aimDownload))
	return nil
}

// inTurn downloads two files in turn, and returns the MB/s of each.
func inTurn(ctx context.Context, rounds int, links ...string) (first, second samples, err error) {
	for range rounds {
		for i, into := range []*samples{&first, &second} {
			rate, err := fetch(ctx, links[i], size, io.Discard)
			if err != nil {
				return nil, nil, err
			}
			*into = append(*into, rate)
		}
	}
	return first, second, nil
}

// fetch reads the first bytes of a link over a connection of its own, and returns the MB/s from the first byte on.
func fetch(ctx context.Context, link string, size int64, to io.Writer) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", link, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Range", fmt.Sprintf("bytes=0-%d", size-1))
	transport := &http.Transport{DisableCompression: true, ReadBufferSize: 256 << 10}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusPartialContent {
		return 0, fmt.Errorf("%s: %s", link, answer.Status)
	}
	began := time.Now()
	read, err := io.CopyBuffer(struct{ io.Writer }{to}, answer.Body, make([]byte, 256<<10))
	return float64(read) / 1e6 / time.Since(began).Seconds(), err
}

// measureLatency asks for a status a few hundred times, at rest and while sixteen clients download as fast as they can.
func measureLatency(ctx context.Context, out io.Writer, server *running, link string, s settings) error {
	const downloads = 16
	id, err := createOne(server.address)
	if err != nil {
		return err
	}
	ask := func() (samples, error) {
		connection, err := dial(server.address)
		if err != nil {
			return nil, err
		}
		defer connection.Close()
		var took samples
		for began := time.Now(); time.Since(began) < s.round; time.Sleep(time.Millisecond) {
			start := time.Now()
			if _, _, err := connection.roundTrip(statusRequest(server.address, id)); err != nil {
				return nil, err
			}
			took = append(took, time.Since(start).Seconds()*1e6)
		}
		return took, nil
	}
	var idle, busy, ratio samples
	var bytes float64
	for range s.rounds {
		quiet, err := ask()
		if err != nil {
			return err
		}
		downloading, stop := context.WithCancel(ctx)
		var group sync.WaitGroup
		var lock sync.Mutex
		for range downloads {
			group.Go(func() {
				for downloading.Err() == nil {
					var counted countingWriter
					_, _ = fetch(downloading, link, 1<<40, &counted) // it ends by the context
					lock.Lock()
					bytes += float64(counted)
					lock.Unlock()
				}
			})
		}
		loud, err := ask()
		stop()
		group.Wait()
		if err != nil {
			return err
		}
		idle, busy, ratio = append(idle, quiet.median()), append(busy, loud.median()), append(ratio, loud.median()/quiet.median())
	}
	fmt.Fprintln(out, "\nstatus requests\tp50 µs at rest\tp50 µs while 16 downloads run\tMB/s of all downloads\tbusy/at rest")
	fmt.Fprintf(out, "memory store\t%.0f\t%.0f\t%.0f\t%s\n", idle.median(), busy.median(), bytes/1e6/(float64(s.rounds)*s.round.Seconds()), atMost(ratio.median(), aimLatency))
	return nil
}

// measureSlow opens many downloads whose clients read nothing, and looks at what each costs the server.
func measureSlow(ctx context.Context, out io.Writer, server *running, link string) error {
	const clients = 200
	process := server.process.Process.Pid
	before := memoryOf(process, "VmRSS:")
	if before == 0 {
		return nil // the system does not tell
	}
	request, err := http.NewRequest("GET", link, nil)
	if err != nil {
		return err
	}
	var open []net.Conn
	defer func() {
		for _, connection := range open {
			connection.Close()
		}
	}()
	for range clients {
		connection, err := net.Dial("tcp", server.address)
		if err != nil {
			return err
		}
		open = append(open, connection)
		if err := request.Write(connection); err != nil {
			return err
		}
		if _, err := bufio.NewReaderSize(connection, 16).Peek(1); err != nil { // it has begun
			return err
		}
	}
	// Every one of them is stuck once the buffers of the system are full.
	var sizes samples
	for range 5 {
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		sizes = append(sizes, memoryOf(process, "VmRSS:"))
	}
	fmt.Fprintln(out, "\nslow downloads\tkB each")
	fmt.Fprintf(out, "%d clients that stopped reading\t%s\n", clients, atMost((slices.Max(sizes)-before)/clients, aimSlowDownload))
	return nil
}
