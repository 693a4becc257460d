package proxy

import (
	"bytes"
	"io"
	"sync"
	"time"
)

const (
	// mostSaid is how much is read of an answer whose head is all that a client waits for, before the head is passed on.
	mostSaid = 64 << 10
	// saidPatience is how long that may take: the service may leave the answer open.
	saidPatience = 100 * time.Millisecond
)

// ahead is a body of which the beginning is read before anybody asks for it.
type ahead struct {
	body  io.ReadCloser
	grown chan struct{} // there may be more
	done  chan struct{} // the beginning was read: the rest is for those who ask

	lock sync.Mutex
	kept bytes.Buffer
	err  error // after which there is no rest
}

func readAhead(body io.ReadCloser) *ahead {
	a := &ahead{body: body, grown: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		defer close(a.done)
		part := make([]byte, 4<<10)
		for read := 0; read < mostSaid && a.err == nil; {
			var n int
			n, a.err = body.Read(part)
			read += n
			a.lock.Lock()
			a.kept.Write(part[:n])
			a.lock.Unlock()
			select {
			case a.grown <- struct{}{}:
			default:
			}
		}
	}()
	return a
}

// stays waits for the beginning, and reports whether that takes too long.
func (a *ahead) stays() bool {
	timer := time.NewTimer(saidPatience)
	defer timer.Stop()
	select {
	case <-a.done:
		return false
	case <-timer.C:
		return true
	}
}

// Read gives out what was read so far, and then the rest.
func (a *ahead) Read(p []byte) (int, error) {
	for {
		a.lock.Lock()
		n, _ := a.kept.Read(p)
		a.lock.Unlock()
		if n > 0 || len(p) == 0 {
			return n, nil
		}
		select {
		case <-a.grown:
		case <-a.done:
			switch {
			case a.kept.Len() > 0:
			case a.err != nil:
				return 0, a.err
			default:
				return a.body.Read(p)
			}
		}
	}
}

// Close returns when nobody reads the body any more.
func (a *ahead) Close() error {
	err := a.body.Close()
	<-a.done
	return err
}
