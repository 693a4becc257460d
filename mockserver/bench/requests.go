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
	rates   samples // requests per second of the server's processor time, a round each
}

type samples []float64

// median returns zero when there are none.
func (s samples) median() float64 {
	if len(s) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(s))[len(s)/2]
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
	if used := processorTime(c.server.process.Process.Pid) - before; used > 0 { // other programs have no part in that
		took = used
	}
	select {
	case err := <-failures:
		return err
	default:
	}
	c.rates = append(c.rates, float64(answered.Load())/took.Seconds())
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
