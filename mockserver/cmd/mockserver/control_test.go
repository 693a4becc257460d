package main

import (
	"net"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestServeControlToken: a server that other machines reach asks for a token under /_mock/, and says which.
func TestServeControlToken(t *testing.T) {
	here := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--profiles", "50")
	here.answers("on the machine's own address", 200, "", "GET", "/_mock/clock", "")
	here.end()
	must.Hold(t, !strings.Contains(here.output.String(), "/_mock/"), "announced a token that nobody needs: %s", here.output)
	for _, c := range []struct {
		about, token string
		environment  map[string]string
		flags        []string
	}{
		{"given", "secret", nil, []string{"--addr", "127.0.0.1:0", "--control-token", "secret"}},
		{"by the environment", "other", map[string]string{"REHEARSAL_CONTROL_TOKEN": "other"}, []string{"--addr", "127.0.0.1:0"}},
		{"the flag wins", "secret", map[string]string{"REHEARSAL_CONTROL_TOKEN": "other"}, []string{"--addr", "127.0.0.1:0", "--control-token=secret"}},
		{"made", "", nil, []string{"--addr", ":0"}},
	} {
		s := start(t, c.environment, append(c.flags, "--state", "memory", "--profiles", "50")...)
		_, port, err := net.SplitHostPort(strings.TrimPrefix(s.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		s.base = "http://127.0.0.1:" + port
		status, body := s.send("GET", "/_mock/clock", "")
		must.Equal(t, status, 401, "%s: the status without a token, %s", c.about, body)
		token := c.token
		for token == "" { // what follows the first line may still be on its way
			if found := regexp.MustCompile(`/_mock/ +Authorization: Bearer ([A-Z2-7]{26}) `).FindStringSubmatch(s.output.String()); found != nil {
				token = found[1]
			} else if strings.Contains(s.output.String(), "curl -s") {
				t.Fatalf("%s: no token is announced: %s", c.about, s.output)
			}
			runtime.Gosched()
		}
		s.answers(c.about+": with the token", 200, "", "GET", "/_mock/clock", "", "Authorization", "Bearer "+token)
		s.end()
		if c.token != "" && strings.Contains(s.output.String(), c.token) {
			t.Errorf("%s: the token that was given is printed: %s", c.about, s.output)
		}
	}
	for _, bad := range []string{"", "two words", "tab\t", "é"} {
		if out := invoke(t, "", "serve", "--addr", "127.0.0.1:0", "--state", "memory", "--control-token", bad); out.code == 0 || !strings.Contains(out.err, "control") {
			t.Errorf("the token %q: exit code %d, %s", bad, out.code, out.err)
		}
	}
}
