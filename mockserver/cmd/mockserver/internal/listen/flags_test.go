package listen_test

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
)

// TestPort: --port replaces the port of an address that was set no nearer.
func TestPort(t *testing.T) {
	for _, c := range []struct {
		about       string
		environment map[string]string
		line, want  string
	}{
		{"alone", nil, "--port 9000", "127.0.0.1:9000"},
		{"beside an address", nil, "--addr 0.0.0.0:1 --port 9000", "0.0.0.0:9000"},
		{"beside an address of IPv6", nil, "--addr [::1]:1 --port 9000", "[::1]:9000"},
		{"beside a name without a port", nil, "--addr localhost --port 9000", "localhost:9000"},
		{"the address is nearer", map[string]string{"REHEARSAL_PORT": "9000"}, "--addr 127.0.0.1:1", "127.0.0.1:1"},
		{"the port is nearer", map[string]string{"REHEARSAL_ADDR": "0.0.0.0:1"}, "--port 9000", "0.0.0.0:9000"},
		{"both by the environment", map[string]string{"REHEARSAL_ADDR": "0.0.0.0:1", "REHEARSAL_PORT": "9000"}, "", "0.0.0.0:9000"},
		{"a link of Kubernetes", map[string]string{"REHEARSAL_PORT": "tcp://10.0.0.1:8080"}, "", "127.0.0.1:8080"},
		{"a socket is nearer", map[string]string{"REHEARSAL_PORT": "9000"}, "--addr unix:/s", "unix:/s"},
	} {
		t.Run(c.about, func(t *testing.T) {
			var p listen.Flags
			address := ""
			program, serve := &cobra.Command{Use: "program"}, &cobra.Command{Use: "serve"}
			p.Define(serve.Flags())
			serve.RunE = func(*cobra.Command, []string) error {
				err := p.Join(serve.Flags())
				address = p.Address
				return err
			}
			program.AddCommand(serve)
			settings.Add(program, func(name string) string { return c.environment[name] }, io.Discard)
			program.SetArgs(append([]string{"serve"}, strings.Fields(c.line)...))
			if err := program.ExecuteContext(t.Context()); err != nil || address != c.want {
				t.Errorf("listens on %s (%v), want %s", address, err, c.want)
			}
		})
	}
}
