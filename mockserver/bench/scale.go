package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

// measureScale shows what grows with what: the time to the start and to the first byte with the population, the requests with the
// exports that are kept, with the keys that have clocks of their own, with scenarios and with connections. All of it is measured on
// the default store, a file.
func measureScale(ctx context.Context, out io.Writer, p programs, s settings) error {
	for _, part := range []func(context.Context, io.Writer, programs, settings) error{scalePeople, scaleExports, scaleKeys, scaleScenarios, scaleConnections} {
		if err := part(ctx, out, p, s); err != nil {
			return err
		}
	}
	return nil
}

// decades are the powers of ten of a table, as far as the flag -scale lets them go.
func decades(first, last int64, s settings) (all []int64) {
	for n := first; n <= min(last, s.scale); n *= 10 {
		all = append(all, n)
	}
	return all
}

// writtenLimit is how long a file may take to be written, with the default progress, before the table says that it took longer.
const writtenLimit = 100 * time.Second

// scalePeople starts the server with populations, exports one campaign and everybody, and looks at the first byte and the rows.
func scalePeople(ctx context.Context, out io.Writer, p programs, s settings) error {
	fmt.Fprintln(out, "\npeople\tstart, ms\tcampaign, s until SUCCESS\tits first byte, ms\tits rows/s\tuserbase, s until SUCCESS\tfirst byte of it, ms\trows/s of it\tmemory then, MB")
	for _, people := range decades(10_000, 100_000_000, s) {
		if people == 100_000 {
			continue
		}
		began := time.Now()
		served, err := p.startOn(ctx, fmt.Sprintf("people-%d.db", people), "--profiles", strconv.FormatInt(people, 10))
		if err != nil {
			return err
		}
		if _, err := ask(ctx, http.MethodGet, served.address, "/_mock/health", ""); err != nil {
			served.stop()
			return err
		}
		fmt.Fprintf(out, "%s\t%.1f", strconv.FormatInt(people, 10), float64(time.Since(began).Microseconds())/1000)
		for _, export := range []struct{ path, body string }{
			{"/campaign/welcome/events", `{"from":"` + time.Now().UTC().AddDate(0, 0, -7).Format("2006-01-02T15:04:05") + `","to":"now","events":["push_sent","push_open"],"ids":["install_id"]}`},
			{"/userbase", `{"ids":["install_id","custom_id","advertising_id"]}`},
		} {
			if err := scaleDownload(ctx, out, served.address, export.path, export.body); err != nil {
				served.stop()
				return fmt.Errorf("%d people: %s: %w", people, export.path, err)
			}
		}
		fmt.Fprintf(out, "\t%s\n", figure(memoryOf(served.process.Process.Pid, "VmRSS:")/1024))
		served.stop()
	}
	return nil
}

// scaleDownload creates an export, waits for it as a client does, and reads at most 32 MB of its file.
func scaleDownload(ctx context.Context, out io.Writer, address, path, body string) error {
	const base = "/1.0/" + demo.LiveKey + "/export"
	began := time.Now()
	created, err := ask(ctx, http.MethodPost, address, base+path, body)
	if err != nil {
		return err
	}
	groups := requestID.FindStringSubmatch(created)
	if groups == nil {
		return fmt.Errorf("no identifier in %s", created)
	}
	for {
		record, err := ask(ctx, http.MethodGet, address, base+"/request/"+groups[1], "")
		if err != nil {
			return err
		}
		if link := fileURL.FindStringSubmatch(record); link != nil {
			fmt.Fprintf(out, "\t%.1f", time.Since(began).Seconds())
			return scaleRead(ctx, out, link[1])
		}
		if time.Since(began) > writtenLimit {
			fmt.Fprintf(out, "\tmore than %.0f\t-\t-", writtenLimit.Seconds())
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func scaleRead(ctx context.Context, out io.Writer, link string) error {
	const most = 32 << 20
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return err
	}
	began := time.Now()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	block, rows, read := make([]byte, 64<<10), 0, 0
	if _, err := io.ReadFull(answer.Body, block[:1]); err != nil {
		return fmt.Errorf("the first byte: %w", err)
	}
	first := time.Since(began)
	for read < most {
		n, err := answer.Body.Read(block)
		rows, read = rows+bytes.Count(block[:n], []byte("\n")), read+n
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\t%.1f\t%.0f", float64(first.Microseconds())/1000, float64(rows)/time.Since(began).Seconds())
	return nil
}

// scaleKeys gives more and more keys clocks of their own.
func scaleKeys(ctx context.Context, out io.Writer, p programs, s settings) error {
	served, err := p.startOn(ctx, "keys.db", "--any-credentials")
	if err != nil {
		return err
	}
	defer served.stop()
	id, err := createOne(served.address)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nkeys with clocks\tto set one, server ms\tstatus, server us/request\tmemory then, MB")
	set := int64(0)
	for _, keys := range decades(1, 1000, s) {
		before, began := processorTime(served.process.Process.Pid), set
		for ; set < keys; set++ {
			if _, err := ask(ctx, http.MethodPost, served.address, fmt.Sprintf("/_mock/clock?key=key_%d", set), `{"advance":"1h"}`); err != nil {
				return err
			}
		}
		each := float64((processorTime(served.process.Process.Pid) - before).Microseconds()) / 1000 / float64(max(set-began, 1))
		status := &contestant{server: served, request: statusRequest(served.address, id), status: 200}
		if err := status.round(ctx, s); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d\t%.2f\t%.1f\t%s\n", keys, each, median(status.costs), figure(memoryOf(served.process.Process.Pid, "VmRSS:")/1024))
	}
	return nil
}

// scaleScenarios sets more and more scenarios, none of which is about the requests that are measured.
func scaleScenarios(ctx context.Context, out io.Writer, p programs, s settings) error {
	served, err := p.startOn(ctx, "scenarios.db", "--progress", "now")
	if err != nil {
		return err
	}
	defer served.stop()
	id, err := createOne(served.address)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nscenarios\tto add one, server ms\tstatus, server us/request")
	added := int64(0)
	for _, wanted := range decades(1, 1000, s) {
		before, began := processorTime(served.process.Process.Pid), added
		for ; added < wanted; added++ {
			if _, err := ask(ctx, http.MethodPost, served.address, "/_mock/scenarios", fmt.Sprintf(`{"match":{"target":"nobody-%d"},"scenario":"status.latency=1s"}`, added)); err != nil {
				return err
			}
		}
		each := float64((processorTime(served.process.Process.Pid) - before).Microseconds()) / 1000 / float64(max(added-began, 1))
		status := &contestant{server: served, request: statusRequest(served.address, id), status: 200}
		if err := status.round(ctx, s); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d\t%.2f\t%.1f\n", wanted, each, median(status.costs))
	}
	return nil
}

// scaleConnections sends requests over more and more connections.
func scaleConnections(ctx context.Context, out io.Writer, p programs, s settings) error {
	served, err := p.startOn(ctx, "connections.db", "--progress", "now")
	if err != nil {
		return err
	}
	defer served.stop()
	fmt.Fprintln(out, "\nconnections\tcreations/s\tserver us/creation\tstatus/s\tserver us/status\tmemory then, MB")
	for _, connections := range []int{1, 16, 64, 256} {
		s.connections = connections
		id, err := createOne(served.address)
		if err != nil {
			return err
		}
		create := &contestant{server: served, request: createRequest(served.address), status: 202}
		status := &contestant{server: served, request: statusRequest(served.address, id), status: 200}
		for _, c := range []*contestant{create, status} {
			if err := c.round(ctx, s); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "%d\t%.0f\t%.1f\t%.0f\t%.1f\t%s\n", connections, median(create.rates), median(create.costs), median(status.rates), median(status.costs),
			figure(memoryOf(served.process.Process.Pid, "VmRSS:")/1024))
	}
	return nil
}

// startOn starts the program as a user does, on all processors, with its state in a file of the directory.
func (p programs) startOn(ctx context.Context, state string, flags ...string) (*running, error) {
	words := append([]string{"serve", "--addr", "127.0.0.1:0", "--state", filepath.Join(p.directory, state)}, flags...)
	return startProgram(ctx, exec.CommandContext(ctx, p.served, words...), "")
}

// ask sends a request with the demo credentials, and returns the body of the answer.
func ask(ctx context.Context, method, address, path, body string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("X-Authorization", demo.CompanyKey)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 400 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, read)
	}
	return string(read), err
}
