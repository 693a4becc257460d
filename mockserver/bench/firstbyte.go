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
)

// measureFirstByte makes files of two populations, as exports that end by time do, and asks for their first byte: when the export is
// finished, and when the server was killed and started again, and writes the file again.
func measureFirstByte(ctx context.Context, out io.Writer, p programs, s settings) error {
	fmt.Fprintln(out, "\nfirst byte of a userbase, file store\tMB\ts until SUCCESS\tms of HEAD\tms of GET\tms of a range\ts after a restart")
	for _, people := range []int{s.people, 10 * s.people} {
		if err := measureFirstByteOf(ctx, out, p, people); err != nil {
			return fmt.Errorf("%d profiles: %w", people, err)
		}
	}
	return nil
}

func measureFirstByteOf(ctx context.Context, out io.Writer, p programs, people int) error {
	state := fmt.Sprintf("first-%d.db", people)
	start := func(flags ...string) (*running, error) {
		return p.startServed(ctx, state, append(flags, "--profiles", strconv.Itoa(people), "--progress", "time:2s")...)
	}
	served, err := start("--now", today)
	if err != nil {
		return err
	}
	defer func() { served.stop() }()
	began := time.Now()
	id, _, err := askFor(served.address, "POST", userbasePath, userbaseBody)
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
	fmt.Fprintf(out, "%d profiles\t%.0f\t%s\t%s\t%s\t%s\t%s\n", people, float64(size)/1e6, atMost(waited, max(aimSuccess*float64(people), 3)), atMost(head, aimFirstByte), atMost(whole, aimFirstByte), atMost(middle, aimFirstByte), atMost(again/1e3, max(aimSuccess*float64(people), 3)))
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
