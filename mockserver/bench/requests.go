package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

const creation = `{"from":"2025-01-01T00:00:00","to":"now","events":["push_sent","push_open"],"ids":["install_id","custom_id"]}`

func createRequest(address string) []byte {
	return fmt.Appendf(nil, "POST /1.0/"+demo.LiveKey+"/export/campaign/welcome/events HTTP/1.1\r\nHost: %s\r\nX-Authorization: "+demo.CompanyKey+"\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", address, len(creation), creation)
}

func statusRequest(address, id string) []byte {
	return fmt.Appendf(nil, "GET /1.0/"+demo.LiveKey+"/export/request/%s HTTP/1.1\r\nHost: %s\r\nX-Authorization: "+demo.CompanyKey+"\r\n\r\n", id, address)
}

// contestant is one server and one request in a comparison.
type contestant struct {
	name    string
	server  *running
	request []byte
	status  int
	aim     float64   // of the requests per second of the first of its group; 0: none
	rates   []float64 // requests per second, a round each
	costs   []float64 // microseconds of the server's processor time per request, a round each; none where it cannot be read
}

// measureRequests compares creation and status requests with a handler that sends the same bytes under the same deadlines. The
// rounds are interleaved, so that a busy moment of the machine meets all of them.
func measureRequests(ctx context.Context, out io.Writer, p programs, s settings) error {
	stores := []struct {
		name, state          string
		aimCreate, aimStatus float64
	}{
		{"memory", "memory", aimCreate, aimStatus},
		{"file", "requests.db", aimCreateFile, aimStatusFile},
	}
	var creations, lookups []*contestant
	for _, store := range stores {
		server, err := p.startServed(ctx, store.state)
		if err != nil {
			return err
		}
		defer server.stop()
		if err := addContestants(&creations, &lookups, store.name, server, store.aimCreate, store.aimStatus); err != nil {
			return err
		}
	}
	shared, stopShared, err := p.startOverPostgres(ctx)
	if err != nil {
		return err
	}
	defer stopShared()
	if shared == nil {
		fmt.Fprint(out, "\nPostgreSQL store: not measured, there is no PostgreSQL on this machine\n")
	} else if err := addContestants(&creations, &lookups, "PostgreSQL", shared, 0, 0); err != nil { // it and the load share a core with the database
		return err
	}
	groups := [][]*contestant{creations, lookups}
	for i, group := range groups {
		floor, err := p.startSame(ctx, group[0])
		if err != nil {
			return err
		}
		defer floor.server.stop()
		groups[i] = append([]*contestant{floor}, group...)
	}
	defer pinSelf(ctx)()
	fmt.Fprintf(out, "\nrequests, %d keep-alive connections, server on one core\trequests/s\tof the floor\tserver us/request, least to most\tfloor/it\n", s.connections)
	for _, group := range groups {
		if err := compete(ctx, out, group, s); err != nil {
			return err
		}
	}
	return nil
}

// addContestants adds the creations and the lookups of a server.
func addContestants(creations, lookups *[]*contestant, store string, server *running, aimCreate, aimStatus float64) error {
	id, err := createOne(server.address)
	if err != nil {
		return err
	}
	*creations = append(*creations, &contestant{name: "create, " + store + " store", server: server, request: createRequest(server.address), status: 202, aim: aimCreate})
	*lookups = append(*lookups, &contestant{name: "status, " + store + " store", server: server, request: statusRequest(server.address, id), status: 200, aim: aimStatus})
	return nil
}

// startSame starts a bare handler that answers as a server does.
func (p programs) startSame(ctx context.Context, as *contestant) (*contestant, error) {
	answer, err := answerTo(as.server.address, as.request)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(p.directory, fmt.Sprintf("answer-%d", as.status))
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		return nil, err
	}
	words := pinned([]string{p.bare, "-answer", file})
	server, err := startProgram(ctx, exec.CommandContext(ctx, words[0], words[1:]...), "1")
	if err != nil {
		return nil, err
	}
	same := *as
	same.name, same.server, same.aim = fmt.Sprintf("bare net/http, the same %d bytes and deadlines", len(answer)), server, 0
	return &same, nil
}

// answerTo is the answer to a request, head and body.
func answerTo(address string, request []byte) ([]byte, error) {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	if _, err := connection.Write(request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return httputil.DumpResponse(response, true)
}

// compete lets the contestants take turns; the first one is the floor.
func compete(ctx context.Context, out io.Writer, group []*contestant, s settings) error {
	for range s.rounds {
		for _, c := range group {
			if err := c.round(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	for _, c := range group {
		rate, cost := median(c.rates), median(c.costs)
		fmt.Fprintf(out, "%s\t%.0f\t", c.name, rate)
		share := rate / median(group[0].rates)
		if cost > 0 { // processor time tells more on a busy machine
			fmt.Fprintf(out, "%s\t%.1f, %.1f to %.1f\t", figure(share), cost, slices.Min(c.costs), slices.Max(c.costs))
			share = median(group[0].costs) / cost
		} else {
			fmt.Fprint(out, "-\t-\t")
		}
		if c.aim > 0 {
			fmt.Fprintln(out, atLeast(share, c.aim))
		} else {
			fmt.Fprintln(out, figure(share))
		}
	}
	return nil
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// round sends the request over all connections for the time of a round.
func (c *contestant) round(ctx context.Context, s settings) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the other core is the server's
	c.server.rest(ctx)
	var (
		group    sync.WaitGroup
		answered atomic.Int64
		failures = make(chan error, s.connections)
		before   = processorTime(c.server.process.Process.Pid)
		began    = time.Now()
		end      = began.Add(s.round)
	)
	for range s.connections {
		group.Go(func() {
			connection, err := dial(c.server.address)
			if err != nil {
				failures <- err
				return
			}
			defer connection.Close()
			for ctx.Err() == nil && time.Now().Before(end) {
				status, _, err := connection.roundTrip(c.request)
				if err == nil && status != c.status {
					err = fmt.Errorf("status %d, want %d", status, c.status)
				}
				if err != nil {
					failures <- err
					return
				}
				answered.Add(1)
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	select {
	case err := <-failures:
		return err
	default:
	}
	c.rates = append(c.rates, float64(answered.Load())/took.Seconds())
	if after := processorTime(c.server.process.Process.Pid); after > 0 {
		c.costs = append(c.costs, float64((after-before).Microseconds())/float64(answered.Load()))
	}
	return nil
}

// processorTime is what a process has used of the processor so far; zero where the system does not tell.
func processorTime(process int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // clock ticks: 100 a second on Linux
}

// rest waits until a server has done what it does when nobody asks: files of the last round are written then, 200 ms of
// processor time each, and lookups that come meanwhile have no part in that.
func (r *running) rest(ctx context.Context) {
	const look, tick, most = 100 * time.Millisecond, 10 * time.Millisecond, 200
	used := processorTime(r.process.Process.Pid)
	for range most {
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return
		}
		now := processorTime(r.process.Process.Pid)
		if now-used <= tick {
			return
		}
		used = now
	}
}

// connection is a keep-alive connection that does no more than it must, so that it is the server that is measured.
type connection struct {
	net.Conn
	reader *bufio.Reader
}

func dial(address string) (*connection, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &connection{c, bufio.NewReader(c)}, nil
}

// roundTrip sends a rendered request and reads an answer.
func (c *connection) roundTrip(request []byte) (status int, body []byte, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, err
	}
	length, chunked := 0, false
	for first := true; ; first = false {
		line, err := c.reader.ReadSlice('\n')
		switch {
		case err != nil:
			return 0, nil, err
		case first && len(line) > 12:
			status, err = strconv.Atoi(string(line[9:12]))
		case isHeader(line, "Content-Length:"):
			length, err = strconv.Atoi(string(bytes.TrimSpace(line[15:])))
		case isHeader(line, "Transfer-Encoding:"):
			chunked = true
		case len(line) <= 2 && chunked:
			body, err = c.chunks()
			return status, body, err
		case len(line) <= 2:
			body = make([]byte, length)
			_, err := io.ReadFull(c.reader, body)
			return status, body, err
		}
		if err != nil {
			return 0, nil, err
		}
	}
}

func isHeader(line []byte, name string) bool {
	return len(line) > len(name) && bytes.EqualFold(line[:len(name)], []byte(name))
}

// chunks reads a body of chunks, as some of the other servers send it.
func (c *connection) chunks() (body []byte, err error) {
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		size, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 24)
		if err != nil {
			return nil, fmt.Errorf("a chunk of the answer: %w", err)
		}
		piece := make([]byte, size+2) // with the end of the line
		if _, err := io.ReadFull(c.reader, piece); err != nil {
			return nil, err
		}
		if size == 0 {
			return body, nil
		}
		body = append(body, piece[:size]...)
	}
}

var requestID = regexp.MustCompile(`"requestId" *: *"([^"]+)"`)

// createOne creates an export and returns its identifier.
func createOne(address string) (string, error) {
	connection, err := dial(address)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	status, body, err := connection.roundTrip(createRequest(address))
	if err != nil {
		return "", err
	}
	groups := requestID.FindSubmatch(body)
	if status != 202 || groups == nil {
		return "", fmt.Errorf("creating an export: status %d: %s", status, body)
	}
	return string(groups[1]), nil
}
