package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
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
	aim     float64   // of the bare handler's requests per second; 0: none
	rates   []float64 // requests per second, a round each
	costs   []float64 // microseconds of the server's processor time per request, a round each; none where it cannot be read
}

// measureRequests compares creation and status requests with the bare handler. The rounds are interleaved, so that a busy moment
// of the machine meets all of them.
func measureRequests(ctx context.Context, out io.Writer, p programs, s settings) error {
	bare, err := p.startBare(ctx, "")
	if err != nil {
		return err
	}
	defer bare.stop()
	memory, err := p.startServed(ctx, "memory")
	if err != nil {
		return err
	}
	defer memory.stop()
	durable, err := p.startServed(ctx, "requests.db")
	if err != nil {
		return err
	}
	defer durable.stop()
	shared, stopShared, err := p.startOverPostgres(ctx)
	if err != nil {
		return err
	}
	defer stopShared()
	defer pinSelf(ctx)()

	creations := []*contestant{
		{name: "bare net/http, constant 202", server: bare, request: createRequest(bare.address), status: 202},
		{name: "create, memory store", server: memory, request: createRequest(memory.address), status: 202, aim: aimCreate},
		{name: "create, SQLite store", server: durable, request: createRequest(durable.address), status: 202, aim: aimDurable},
	}
	lookups := []*contestant{{name: "bare net/http, constant 202", server: bare, request: statusRequest(bare.address, "x"), status: 202}}
	served := map[string]*running{"status, memory store": memory, "status, SQLite store": durable}
	if shared != nil { // it and the load share a core with the database
		creations = append(creations, &contestant{name: "create, PostgreSQL store", server: shared, request: createRequest(shared.address), status: 202})
		served["status, PostgreSQL store"] = shared
	} else {
		fmt.Fprint(out, "\nPostgreSQL store: not measured, there is no PostgreSQL on this machine\n")
	}
	for name, server := range served {
		id, err := createOne(server.address)
		if err != nil {
			return err
		}
		lookups = append(lookups, &contestant{name: name, server: server, request: statusRequest(server.address, id), status: 200, aim: aimStatus})
	}
	slices.SortFunc(lookups[1:], func(a, b *contestant) int { return strings.Compare(a.name, b.name) })

	fmt.Fprintf(out, "\nrequests, %d keep-alive connections, server on one core\trequests/s\tof bare\tserver us/request\tbare/it\n", s.connections)
	for _, group := range [][]*contestant{creations, lookups} {
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
				fmt.Fprintf(out, "%s\t%.1f\t", figure(share), cost)
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
