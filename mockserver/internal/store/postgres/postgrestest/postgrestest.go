//go:build unix

package postgrestest

import (
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
)

// Start starts a server for a test and closes it when that ends. Where there is none it skips the test, or lets it fail if REQUIRE_ALL is
// set. What it keeps does not survive the machine, only its processes: it does not wait for disks.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := Launch(append([]string{"fsync=off"}, settings...)...)
	if errors.Is(err, ErrUnavailable) {
		testlevel.Unavailable(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Run starts the server again after Stop.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
}

// Address makes a new, empty database and returns its address.
func (s *Server) Address(t testing.TB) string {
	t.Helper()
	address, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Execute runs SQL behind the back of the program that uses a database.
func (s *Server) Execute(t testing.TB, address, statements string) {
	t.Helper()
	if err := execute(address, statements); err != nil {
		t.Fatal(err)
	}
}
