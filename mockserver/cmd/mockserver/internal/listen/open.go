package listen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Open begins to listen.
func (p *Flags) Open(ctx context.Context) (*Endpoint, error) {
	if path, is := p.Socket(); is {
		listener, err := openSocket(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", p.name(), p.Address, err)
		}
		return &Endpoint{listeners: []net.Listener{listener}, socket: path}, nil
	}
	listeners, err := listenAt(ctx, p.Address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		if p.joined {
			return nil, fmt.Errorf("--port %s: another program listens on %s; choose another port with --port, 0 takes a free one", p.port, p.Address)
		}
		return nil, fmt.Errorf("%s %s: another program listens there; choose another address with %[1]s, port 0 takes a free one", p.name(), p.Address)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", p.name(), p.Address, err)
	}
	endpoint := &Endpoint{listeners: listeners}
	if _, port, _ := net.SplitHostPort(p.Address); port != "0" {
		endpoint.last = endpoint.Address().(*net.TCPAddr).Port
	}
	return endpoint, nil
}

// listenAt listens at an address. The name localhost is both loopbacks, as far as there are both: which of them a client takes
// is its own matter, and another program at the other one would be asked in the place of this one.
func listenAt(ctx context.Context, address string) (listeners []net.Listener, err error) {
	host, port, _ := net.SplitHostPort(address)
	if host != "localhost" {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		return []net.Listener{listener}, err
	}
	const tries = 10 // a free port of one may be taken at the other
	for range tries {
		chosen := port
		listeners, err = nil, nil
		for _, loopback := range []string{"127.0.0.1", "::1"} {
			listener, failed := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(loopback, chosen))
			switch {
			case failed == nil:
				listeners = append(listeners, listener)
				_, chosen, _ = net.SplitHostPort(listener.Addr().String())
			case err == nil || errors.Is(failed, syscall.EADDRINUSE): // which tells more than that there is no such loopback
				err = failed
			}
		}
		if len(listeners) > 0 && !errors.Is(err, syscall.EADDRINUSE) {
			return listeners, nil
		}
		for _, each := range listeners {
			_ = each.Close()
		}
		if port != "0" {
			break
		}
	}
	return nil, err
}

// Beside listens at another port of the same address, with the same certificate. Where the port was chosen, it is the next one if
// that is free: whoever publishes ports of a container knows it.
func (e *Endpoint) Beside(ctx context.Context) (made *Endpoint, err error) {
	if e.socket != "" {
		return nil, fmt.Errorf("%s is a Unix socket, and a port beside it would be open to others (--addr HOST:PORT)", e)
	}
	host := "localhost"
	if tcp, is := e.Address().(*net.TCPAddr); is && !tcp.IP.IsLoopback() {
		host = tcp.IP.String()
	}
	ports := []int{0}
	if e.last > 0 {
		e.last++
		ports = []int{e.last, 0}
	}
	for _, port := range ports {
		if made, err = (&Flags{Address: net.JoinHostPort(host, strconv.Itoa(port))}).Open(ctx); err == nil {
			break
		}
	}
	if err == nil && e.certificate != nil {
		made.show(e.certificate)
	}
	return made, err
}

// name is the flag that says the address.
func (p *Flags) name() string { return cmp.Or(p.Name, "--addr") }

// socketPatience is how long the owner of a socket that is already there may take to answer.
const socketPatience = 2 * time.Second

// openSocket listens on a Unix socket that only the user of the program may use. It replaces one on which nobody listens, as is left
// behind when a program is killed. See docs/decisions/server.md#who-may-use-a-unix-socket
func openSocket(ctx context.Context, path string) (net.Listener, error) {
	if path == "" {
		return nil, errors.New("the path of the socket is missing, such as unix:/run/rehearsal.sock")
	}
	information, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case information.Mode()&fs.ModeSocket == 0:
		return nil, errors.New("there is a file of this name, which is no socket; choose another path or remove it")
	default:
		dialer := net.Dialer{Timeout: socketPatience}
		if connection, err := dialer.DialContext(ctx, "unix", path); err == nil {
			connection.Close()
			return nil, errors.New("another program listens there; choose another path")
		} else if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, fmt.Errorf("there is a socket, and nobody can tell whether it is in use: %w", err)
		}
	}
	// It is made in a directory that nobody else may enter, and put in its
	// place with its final mode: at no moment may somebody else connect.
	private, err := os.MkdirTemp(filepath.Dir(path), ".s")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	made := filepath.Join(private, "s")
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", made)
	if err != nil {
		return nil, err
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false) // that would be the name it had first
	if err = os.Chmod(made, 0o600); err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		listener.Close()
		return nil, err
	}
	return &socketListener{Listener: listener, path: path}, nil
}

// socketListener removes its socket when it is closed.
type socketListener struct {
	net.Listener
	path string
}

func (l *socketListener) Close() error {
	err := l.Listener.Close()
	if err == nil {
		err = os.Remove(l.path)
	}
	return err
}
