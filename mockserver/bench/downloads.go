package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

const userbasePath, userbaseBody = "/1.0/" + demo.LiveKey + "/export/userbase", `{"ids":["install_id","custom_id","advertising_id"]}`

// measureDownloads downloads new files, once and once more, beside the same bytes from a stored file, which net/http sends with
// sendfile; then looks at the API while many downloads run.
func measureDownloads(ctx context.Context, out io.Writer, p programs, s settings) error {
	served, err := p.startServed(ctx, "downloads.db", "--progress", "now", "--now", today, "--profiles", strconv.Itoa(s.people))
	if err != nil {
		return err
	}
	defer served.stop()
	stored, err := startProgram(exec.CommandContext(ctx, p.bare, p.directory))
	if err != nil {
		return err
	}
	defer stored.stop()
	fmt.Fprintln(out, "\ndownloads over loopback\tMB/s the first time\tagain\tstored, sendfile\tfirst/stored\tagain/stored")
	var link string
	for _, kind := range []struct{ name, path, body string }{
		{"userbase", userbasePath, userbaseBody},
		{"profiles.events", "/2.7/profiles/export",
			`{"export_type":"EVENTS","from":"2025-09-18T00:00:00Z","to":"now","events":["email_sent","push_sent","sms_sent"]}`},
	} {
		var first, again, copied samples
		for round := range s.rounds {
			if link, err = exportLink(served.address, kind.path, kind.body); err != nil {
				return fmt.Errorf("%s: %w", kind.name, err)
			}
			if round == 0 {
				if err := store(ctx, link, filepath.Join(p.directory, kind.name)); err != nil {
					return err
				}
				if link, err = exportLink(served.address, kind.path, kind.body); err != nil {
					return err
				}
			}
			for _, each := range []struct {
				link string
				into *samples
			}{{link, &first}, {link, &again}, {"http://" + stored.address + "/" + kind.name, &copied}} {
				rate, err := fetch(ctx, each.link, size, io.Discard)
				if err != nil {
					return err
				}
				*each.into = append(*each.into, rate)
			}
		}
		fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.0f\t%s\t%s\n", kind.name, first.median(), again.median(), copied.median(),
			atLeast(first.median()/copied.median(), aimDownload), atLeast(again.median()/copied.median(), aimDownload))
	}
	return measureLatency(ctx, out, served, link, s)
}

// store writes what is downloaded into a file.
func store(ctx context.Context, link, file string) error {
	target, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = fetch(ctx, link, size, target)
	return errors.Join(err, target.Close())
}

// askFor sends a request of a client with credentials, and returns the text of the answer and where it leads.
func askFor(address, method, path, body string) (text, location string, err error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequest(method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		return "", "", err
	}
	for name, value := range map[string]string{
		"X-Authorization": demo.CompanyKey, "Authorization": "Bearer " + demo.Token, "X-Service-Project": demo.ProjectKey,
		"Content-Type": "application/json",
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
	fmt.Fprintf(out, "file store\t%.0f\t%.0f\t%.0f\t%s\n", idle.median(), busy.median(), bytes/1e6/(float64(s.rounds)*s.round.Seconds()),
		atMost(ratio.median(), aimLatency))
	return nil
}
