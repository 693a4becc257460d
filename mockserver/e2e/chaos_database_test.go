//go:build unix

package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// twoServers are two servers over one database, with clients at both.
func twoServers(c *chaos, database *postgrestest.Server) (l *load, state string, a, b *server) {
	c.Helper()
	state = database.Address(c)
	flags := []string{"--state", state, "--profiles", "100"}
	a, b = start(c, flags...), start(c, flags...)
	clientOf(c, a).freeze(noon)
	return newLoad(c, a, b), state, a, b
}

// restarts ends the database in several ways, cuts its connections, and lets it stand still.
func restarts(c *chaos, database *postgrestest.Server) {
	l, state, a, b := twoServers(c, database)
	administrator := besides(state)
	for n := 0; c.again(n, 5); n++ {
		l.awaitMore(1 + c.random.IntN(100))
		l.begin()
		how := n % 5
		if n >= 5 {
			how = c.random.IntN(5)
		}
		switch how {
		case 0: // in order
			database.Stop()
			l.awaitReady(http.StatusServiceUnavailable)
			database.Run(c)
		case 1: // at once
			kick(c, processOf(c, state), syscall.SIGQUIT)
			database.Stop()
			database.Run(c)
		case 2: // as a crash
			kick(c, processOf(c, state), syscall.SIGKILL)
			database.Stop()
			database.Run(c)
		case 3:
			database.Execute(c, administrator,
				"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
		case 4:
			stopped := freeze(c, processOf(c, state))
			for range 50 { // whatever becomes of the database, the servers are alive
				for i := range l.servers {
					l.servers[i].Load().send(http.MethodGet, "/_mock/health", "").decode(c, http.StatusOK, nil)
				}
			}
			for _, process := range stopped {
				kick(c, process, syscall.SIGCONT)
			}
		}
		l.awaitReady(http.StatusOK)
		l.over()
	}
	l.verify(b)
	checkOther(l, a)
}

// failovers make the database read-only, as a failover does to clients that stay connected to the old primary, and writable again.
func failovers(c *chaos, database *postgrestest.Server) {
	l, state, a, b := twoServers(c, database)
	address := must.Get(url.Parse(state))(c)
	name, administrator := strings.TrimPrefix(address.Path, "/"), besides(state)
	terminate := "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'"
	for n := 0; c.again(n, 2); n++ {
		l.awaitMore(1 + c.random.IntN(100))
		l.begin()
		database.Execute(c, administrator, "ALTER DATABASE "+name+" SET default_transaction_read_only = on")
		database.Execute(c, administrator, terminate)
		l.awaitRefusals(20)
		l.awaitReady(http.StatusServiceUnavailable)
		database.Execute(c, administrator, "ALTER DATABASE "+name+" RESET default_transaction_read_only")
		if n%2 > 0 { // else nobody tells the connections, which stay read-only
			database.Execute(c, administrator, terminate)
		}
		l.awaitReady(http.StatusOK)
		l.over()
	}
	l.verify(b)
	checkOther(l, a)
}

// checkOther compares some files on the other server.
func checkOther(l *load, s *server) {
	if !l.Failed() {
		l.compareLast(s, 20)
	}
}

// besides is the address of another database of the same server, for statements about the first.
func besides(state string) string {
	return regexp.MustCompile(`/rehearsal_[0-9]+`).ReplaceAllString(state, "/postgres")
}

// processOf is the process of a database server, as its directory tells.
func processOf(c *chaos, state string) int {
	c.Helper()
	address := must.Get(url.Parse(state))(c)
	text := must.Get(os.ReadFile(filepath.Join(address.Query().Get("host"), "data", "postmaster.pid")))(c)
	first, _, _ := strings.Cut(string(text), "\n")
	return must.Get(strconv.Atoi(first))(c)
}

func kick(c *chaos, process int, what syscall.Signal) {
	c.Helper()
	must.Do(c, syscall.Kill(process, what))
}

// freeze stops a process and its children, where /proc tells which these are, and returns them.
func freeze(c *chaos, process int) []int {
	c.Helper()
	kick(c, process, syscall.SIGSTOP)
	all := []int{process}
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// The name is in parentheses and may hold anything; then come the state and the parent.
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(process) && syscall.Kill(child, syscall.SIGSTOP) == nil {
			all = append(all, child)
		}
	}
	return all
}
