package hub

import (
	"crypto/subtle"
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// letters are those of codes: none looks like another, or like a digit.
const letters = "ABCDEFGHJKMNPQRSTUVWXYZ"

const codeLength = 6

// Refused is an attempt to join that was refused.
type Refused struct {
	Time     time.Time `json:"time"`
	Address  string    `json:"address"`
	Origin   string    `json:"origin,omitempty"`
	Name     string    `json:"name,omitempty"`
	Platform string    `json:"platform,omitempty"`
	Version  string    `json:"version,omitempty"`
	Protocol string    `json:"protocol,omitempty"` // if it is another
	Reason   string    `json:"reason"`
}

// bucket bounds the wrong codes of one peer: twenty at once, and one more every three seconds.
type bucket struct {
	used int
	at   time.Time
}

const (
	mostWrong  = 20
	wrongEvery = 3 * time.Second
	mostPeers  = 1000 // whose wrong codes are counted
)

// wrongOf is the bucket of a peer, or one like new. Peers of IPv6 have a network of addresses, and one bucket for it.
func (h *Hub) wrongOf(address string) (peer netip.Addr, of bucket) {
	peer, _ = netip.ParseAddr(address)
	if peer = peer.Unmap().WithZone(""); peer.Is6() {
		network, _ := peer.Prefix(64)
		peer = network.Addr()
	}
	return peer, h.wrong[peer]
}

// noteWrong counts a wrong code, and forgets the peer that sent none for the longest time where there are too many.
func (h *Hub) noteWrong(peer netip.Addr, of bucket) {
	if _, known := h.wrong[peer]; !known && len(h.wrong) == mostPeers {
		oldest := peer
		for each, its := range h.wrong {
			if before, is := h.wrong[oldest]; !is || its.at.Before(before.at) {
				oldest = each
			}
		}
		delete(h.wrong, oldest)
	}
	of.used++
	h.wrong[peer] = of
}

// wait is how long no code is looked at.
func (b *bucket) wait(now time.Time) time.Duration {
	if regained := int(now.Sub(b.at) / wrongEvery); regained > 0 {
		b.used, b.at = max(0, b.used-regained), now
	}
	if b.used < mostWrong {
		return 0
	}
	return wrongEvery - now.Sub(b.at)
}

// Code is what a host on another machine needs.
func (h *Hub) Code() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.code
}

// NewCode makes another code, and the one before void.
func (h *Hub) NewCode() error {
	code, err := h.draw()
	if err != nil {
		return err
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	h.code = code
	return nil
}

// draw makes six letters at random.
func (h *Hub) draw() (string, error) {
	code := make([]byte, 0, codeLength)
	for drawn := []byte{0}; len(code) < codeLength; {
		if _, err := io.ReadFull(h.Random, drawn); err != nil {
			return "", refuse(RandomFailed, "no code can be made: %v", err)
		}
		if most := 256 - 256%len(letters); int(drawn[0]) < most { // each letter is as likely
			code = append(code, letters[int(drawn[0])%len(letters)])
		}
	}
	return string(code), nil
}

// Pair refuses a code that is not that of the hub. The pause is how long the hosts of an address have to wait. Within it the right code is
// refused as well: else the pause would slow nobody down who tries them all.
func (h *Hub) Pair(address, code string) (pause time.Duration, err error) {
	code = strings.Map(func(letter rune) rune {
		if letter == ' ' || letter == '-' {
			return -1
		}
		return letter
	}, strings.ToUpper(code))
	h.lock.Lock()
	defer h.lock.Unlock()
	if code == "" {
		return 0, refuse(CodeMissing,
			"an app on another machine, a page of another origin, and every app of a server with --public-url need the code of six "+
				"letters that the page shows under Connect an app; send it as code")
	}
	peer, wrong := h.wrongOf(address)
	if pause = wrong.wait(h.Now()); pause > 0 {
		return pause, refuse(CodesTooMany, "too many wrong codes came from this address; try again in %s", pause.Round(time.Second))
	}
	if subtle.ConstantTimeCompare([]byte(code), []byte(h.code)) != 1 {
		h.noteWrong(peer, wrong)
		return 0, refuse(CodeWrong, "the code is not that of the server, which the page shows under Connect an app; it is new at each start")
	}
	return 0, nil
}

// Refuse keeps an attempt that was refused, for the page.
func (h *Hub) Refuse(attempt Refused) {
	attempt.Name, attempt.Platform, attempt.Version, attempt.Origin = cut(attempt.Name), cut(attempt.Platform), cut(attempt.Version),
		cut(attempt.Origin)
	h.lock.Lock()
	defer h.lock.Unlock()
	attempt.Time = h.Now().UTC().Round(0)
	if len(h.refused) == mostRefused {
		h.refused = slices.Delete(h.refused, 0, 1)
	}
	h.refused = append(h.refused, attempt)
	h.tell(Event{Name: "refused", Data: marshal(attempt)})
}

// Attempts are the last that were refused, the newest first.
func (h *Hub) Attempts() []Refused {
	h.lock.Lock()
	defer h.lock.Unlock()
	shown := append([]Refused{}, h.refused...)
	slices.Reverse(shown)
	return shown
}
