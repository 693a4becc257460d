package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

// measureFirstByte lays files of growing populations out, as exports that end by time do, and asks for their first byte: when the
// export is finished, and when the server was killed and started again.
func measureFirstByte(ctx context.Context, out io.Writer, p programs, s settings) error {
	fmt.Fprintln(out, "\nfirst byte, file store, default progress\tMB\ts until SUCCESS\tms of HEAD\tms of GET\tms of a range\tms after a restart")
	for _, people := range []int{1_000_000, 10_000_000, 100_000_000} {
		if people > s.largest {
			break
		}
		for _, kind := range []struct{ name, path, body string }{
			{"userbase", "/1.0/" + demo.LiveKey + "/export/userbase", `{"ids":["install_id","custom_id"]}`},
			{"campaign.events", "/1.0/" + demo.LiveKey + "/export/campaign/spring/events", `{"ids":["install_id"],"events":["push_sent","push_open"],"from":"2025-08-20T00:00:00","to":"now"}`},
		} {
			if err := measureFirstByteOf(ctx, out, p, people, kind.name, kind.path, kind.body); err != nil {
				return fmt.Errorf("%s of %d profiles: %w", kind.name, people, err)
			}
		}
	}
	return nil
}

func measureFirstByteOf(ctx context.Context, out io.Writer, p programs, people int, name, path, body string) error {
	state := fmt.Sprintf("first-%s-%d.db", name, people)
	start := func(flags ...string) (*running, error) {
		return p.startServed(ctx, state, append([]string{"--profiles", strconv.Itoa(people), "--progress", "time:2s"}, flags...)...)
	}
	served, err := start("--now", "2025-09-20T12:00:00Z")
	if err != nil {
		return err
	}
	defer func() { served.stop() }()
	began := time.Now()
	id, _, err := askFor(served.address, "POST", path, body)
	if err != nil {
		return err
	}
	link, err := finishedLink(ctx, served.address, id)
	if err != nil {
		return err
	}
	waited := time.Since(began).Seconds()
	head, size, err := firstByte(ctx, http.MethodHead, link, "")
	if err != nil {
		return err
	}
	whole, _, err := firstByte(ctx, http.MethodGet, link, "")
	if err != nil {
		return err
	}
	middle, _, err := firstByte(ctx, http.MethodGet, link, fmt.Sprintf("bytes=%d-%d", size/2, size/2+9))
	if err != nil {
		return err
	}
	before := served.address
	served.stop() // it is killed
	if served, err = start(); err != nil {
		return err
	}
	again, _, err := firstByte(ctx, http.MethodGet, strings.Replace(link, before, served.address, 1), "")
	if err != nil {
		return err
	}
	if link, err = linkOf(served.address, id); err != nil || link == "" {
		return errors.Join(err, errors.New("after a restart, the export is not finished"))
	}
	fmt.Fprintf(out, "%s, %d profiles\t%.0f\t%.1f\t%s\t%s\t%s\t%s\n", name, people, float64(size)/1e6, waited, atMost(head, aimFirstByte), atMost(whole, aimFirstByte), atMost(middle, aimFirstByte), atMost(again, aimFirstByte))
	return nil
}

// firstByte is how many milliseconds pass from a request, over a connection of its own, to the first byte of its answer, and the
// length of what is answered with.
func firstByte(ctx context.Context, method, link, bytes string) (milliseconds float64, size int64, err error) {
	request, err := http.NewRequestWithContext(ctx, method, link, nil)
	if err != nil {
		return 0, 0, err
	}
	if bytes != "" {
		request.Header.Set("Range", bytes)
	}
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	began := time.Now()
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return 0, 0, fmt.Errorf("%s: %s", link, answer.Status)
	}
	if method != http.MethodHead {
		if _, err := io.ReadFull(answer.Body, make([]byte, 1)); err != nil {
			return 0, 0, err
		}
	}
	return time.Since(began).Seconds() * 1e3, answer.ContentLength, nil
}
