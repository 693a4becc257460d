//go:build unix

package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// network passes everything on between clients and a database, but for one answer, with which it cuts the connection.
type network struct {
	real string
	lose atomic.Pointer[[]byte] // the answer that gets lost, once
	lost atomic.Int64
}

// throughNetwork returns the address of a database behind a network.
func throughNetwork(t *testing.T, address string) (string, *network) {
	t.Helper()
	directory, err := os.MkdirTemp("", "network-") // short: a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(directory) })
	parsed := must.Get(url.Parse(address))(t)
	query := parsed.Query()
	const socket = ".s.PGSQL.5432"
	n := &network{real: filepath.Join(query.Get("host"), socket)}
	listener := must.Get(net.Listen("unix", filepath.Join(directory, socket)))(t)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go n.serve(client)
		}
	}()
	query.Set("host", directory)
	parsed.RawQuery = query.Encode()
	return parsed.String(), n
}

func (n *network) serve(client net.Conn) {
	defer client.Close()
	database, err := net.Dial("unix", n.real)
	if err != nil {
		return
	}
	defer database.Close()
	go func() {
		_, _ = io.Copy(database, client)
		database.Close()
	}()
	answer := make([]byte, 64<<10)
	for {
		size, err := database.Read(answer)
		if err != nil {
			return
		}
		if text := n.lose.Load(); text != nil && bytes.Contains(answer[:size], *text) && n.lose.CompareAndSwap(text, nil) {
			n.lost.Add(1)
			return
		}
		if _, err := client.Write(answer[:size]); err != nil {
			return
		}
	}
}

// TestLostReply: an insert that is committed, and whose answer gets lost, has happened once. It is not refused as one that there is
// already; another record with that identifier is.
func TestLostReply(t *testing.T) {
	database := postgrestest.Start(t)
	ctx := context.Background()
	for name, token := range map[string]*store.Token{"without a token": nil, "with a token": storetest.Token("bucket", 9)} {
		t.Run(name, func(t *testing.T) {
			address, n := throughNetwork(t, database.Address(t))
			s := open(t, address)
			defer storetest.Close(t, s)
			tag := []byte("COMMIT\x00")
			n.lose.Store(&tag)
			if err := s.Insert(ctx, storetest.Record("a", "a", "legacy"), token); err != nil {
				t.Errorf("committed, and the answer got lost: %v", err)
			}
			if n.lost.Load() != 1 {
				t.Errorf("%d answers got lost", n.lost.Load())
			}
			page, err := s.List(ctx, store.ListOptions{Owner: "a"})
			if err != nil || len(page) != 1 || page[0].ID != "a" {
				t.Errorf("stored are %v, %v", storetest.IDs(page), err)
			}
			other := storetest.Record("a", "a", "legacy")
			other.Polls++
			if err := s.Insert(ctx, other, token); err == nil {
				t.Error("another record with its identifier is stored as well")
			}
		})
	}
}

// TestLostReplyOfData: a batch that is committed, and whose answer gets lost, is stored once; another one is not taken for it.
func TestLostReplyOfData(t *testing.T) {
	ctx := context.Background()
	address, n := throughNetwork(t, postgrestest.Start(t).Address(t))
	s := open(t, address)
	defer storetest.Close(t, s)
	tag := []byte("COMMIT\x00")
	n.lose.Store(&tag)
	if err := s.AppendData(ctx, 0, 1, []byte(`{"at":1}`)); err != nil {
		t.Errorf("committed, and the answer got lost: %v", err)
	}
	if n.lost.Load() != 1 {
		t.Errorf("%d answers got lost", n.lost.Load())
	}
	if batches, err := s.DataAfter(ctx, 0); err != nil || len(batches) != 1 || string(batches[0]) != `{"at":1}` {
		t.Errorf("stored are %q, %v", batches, err)
	}
	if err := s.AppendData(ctx, 0, 1, []byte(`{"at":2}`)); !errors.Is(err, dataset.ErrBehind) {
		t.Errorf("another batch of that generation: %v, want ErrBehind", err)
	}
}
