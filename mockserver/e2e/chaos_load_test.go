//go:build unix

package e2e_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// load is clients that create exports, look them up and download them, as fast as they can, whatever happens to the servers.
type load struct {
	*chaos
	mayRefuse bool // whether 4xx is an answer that a phase expects
	mayWait   bool // whether some exports need a later time than the clock shows at the end
	gateway   bool // whether a proxy answers 502 while a fault lasts
	vanish    bool // whether what is acknowledged while a fault lasts may be gone after it
	servers   []atomic.Pointer[client]
	group     sync.WaitGroup
	stop      chan struct{}
	// epoch is odd while a fault lasts.
	epoch atomic.Int64
	mutex sync.Mutex
	turn  chan struct{} // closed when the epoch ends
	all   []*acknowledged
	// checked is how many of them were looked up after a fault.
	checked int
}

// acknowledged is an export that a server has said it has.
type acknowledged struct {
	kind   kind
	id     string
	digest *[32]byte // of its files, if they were downloaded
}

// newLoad sets eight clients to work on some servers.
func newLoad(c *chaos, servers ...*server) *load {
	c.Helper()
	const clients = 8
	l := &load{chaos: c, servers: make([]atomic.Pointer[client], len(servers)), stop: make(chan struct{}), turn: make(chan struct{})}
	for i, s := range servers {
		l.moveTo(i, s)
	}
	for i := range clients {
		l.group.Go(func() {
			for n := i; ; n++ {
				select {
				case <-l.stop:
					return
				default:
				}
				if c.Failed() {
					return
				}
				l.work(&l.servers[i%len(servers)], n)
			}
		})
	}
	c.Cleanup(l.end)
	return l
}

// moveTo tells the clients of a server where it is now.
func (l *load) moveTo(i int, s *server) {
	c := clientOf(l.T, s)
	c.http.Timeout = patience // nothing is as slow as that, but what is wedged
	l.servers[i].Store(c)
}

// begin says that a fault begins, and over that the servers have recovered from it. What goes wrong between is no surprise.
func (l *load) begin() {
	l.figures.faults.Add(1)
	l.nextEpoch()
}

func (l *load) over() { l.nextEpoch() }

func (l *load) nextEpoch() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.epoch.Add(1)
	close(l.turn)
	l.turn = make(chan struct{})
}

// end lets the clients finish what they are at.
func (l *load) end() {
	select {
	case <-l.stop:
	default:
		close(l.stop)
		l.mutex.Lock()
		l.epoch.Add(2 - l.epoch.Load()%2) // nothing waits for the end of a fault any more
		close(l.turn)
		l.turn = make(chan struct{})
		l.mutex.Unlock()
	}
	l.group.Wait()
}

// count is how many exports are acknowledged.
func (l *load) count() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.all)
}

// awaitMore waits until a number of further exports are acknowledged.
func (l *load) awaitMore(more int) {
	l.Helper()
	wanted := l.count() + more
	l.await("exports are created", func() bool { return l.count() >= wanted })
}

// awaitRefusals waits until clients were refused so often during a fault.
func (l *load) awaitRefusals(more int64) {
	l.Helper()
	wanted := l.figures.announced.Load() + more
	l.await("requests are refused with 503", func() bool { return l.figures.announced.Load() >= wanted })
}

// awaitReady waits until all servers say that they are ready, or that they are not, and meanwhile that they are alive.
func (l *load) awaitReady(status int) {
	l.Helper()
	for i := range l.servers {
		c := l.servers[i].Load()
		l.await("/_mock/ready answers "+http.StatusText(status), func() bool {
			if alive := c.send(http.MethodGet, "/_mock/health", ""); alive.Status != http.StatusOK {
				l.unasked("/_mock/health: %d %s", alive.Status, alive.Body)
			}
			return c.send(http.MethodGet, "/_mock/ready", "").Status == status
		})
	}
}

// work makes one export, and looks some of them up and downloads them.
func (l *load) work(server *atomic.Pointer[client], n int) {
	k := kinds[n%len(kinds)]
	at := l.epoch.Load()
	response, ok := l.ask(server, http.MethodPost, k.path, k.month(), append(k.headers(), "X-Mock-Scenario", "progress=now")...)
	if !ok {
		return
	}
	var created struct{ RequestID, ID string }
	if err := json.Unmarshal(response.Body, &created); err != nil || response.Status != http.StatusAccepted {
		if !l.mayRefuse || response.Status >= http.StatusInternalServerError {
			l.unasked("%s: status %d: %s", k.name, response.Status, response.Body)
		}
		return
	}
	export := &acknowledged{kind: k, id: created.RequestID + created.ID}
	if n%7 == 0 {
		export.digest = l.download(server, export, at)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.vanish || at%2 == 0 && l.epoch.Load() == at {
		l.all = append(l.all, export)
	}
}

// ask makes a request and judges whether it had an answer, or a good reason for none.
func (l *load) ask(server *atomic.Pointer[client], method, target, body string, headers ...string) (answer, bool) {
	before := l.epoch.Load()
	l.mutex.Lock()
	turn := l.turn
	l.mutex.Unlock()
	c := server.Load()
	response, err := c.request(method, target, body, headers...)
	l.figures.requests.Add(1)
	fault := before%2 != 0 || l.epoch.Load() != before
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		l.figures.wedged.Add(1)
		l.Errorf("wedged: %s %s has no answer after %v", method, target, patience)
		return response, false
	case err != nil && !fault:
		l.unasked("%s %s: %v", method, target, err)
		return response, false
	case err != nil: // until it is over there is nobody to ask
		if l.epoch.Load() == before {
			select {
			case <-turn:
			case <-l.stop:
			case <-time.After(patience):
			}
		}
		return response, false
	case response.Status < http.StatusInternalServerError:
		return response, true
	case fault && response.Status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "", namesBudget(response):
		l.figures.announced.Add(1)
		return response, false
	case fault && l.gateway && response.Status == http.StatusBadGateway:
		return response, false
	}
	l.unasked("%s %s: status %d: %s", method, target, response.Status, response.Body)
	return response, false
}

// namesBudget tells whether a refusal says which budget of the server is used up.
func namesBudget(response answer) bool {
	return response.Status == http.StatusServiceUnavailable && bytes.Contains(response.Body, []byte("the budget "))
}

// download is the digest of an export's files; nil when a fault came between.
func (l *load) download(server *atomic.Pointer[client], export *acknowledged, epoch int64) *[32]byte {
	link, headers := "/1.0/"+liveKey+"/export/request/"+export.id, legacyHeaders
	if !export.kind.legacy {
		link, headers = "/2.7/exports/view?id="+url.QueryEscape(export.id), profileHeaders
	}
	var looked answer
	var record struct {
		profileRecord
		FileURL string `json:"file_url"`
	}
	for over := patient(); ; {
		var ok bool
		if looked, ok = l.ask(server, http.MethodGet, link, "", headers...); !ok {
			return nil
		}
		if json.Unmarshal(looked.Body, &record) != nil || record.Status != stillWritten || over() {
			break
		}
	}
	var files []string
	if record.FileURL != "" {
		files = []string{record.FileURL}
	}
	for _, file := range record.Files {
		found, ok := l.ask(server, http.MethodGet, "/2.7/exports/download?id="+url.QueryEscape(file.ID), "", headers...)
		if !ok {
			return nil
		}
		if link := found.Header.Get("Location"); link != "" {
			files = append(files, link)
		}
	}
	digest := sha256.New()
	for _, file := range files {
		response, ok := l.ask(server, http.MethodGet, file, "")
		if !ok {
			return nil
		}
		if response.Status != http.StatusOK {
			files = nil
			break
		}
		digest.Write(response.Body)
	}
	switch {
	case l.epoch.Load() != epoch || epoch%2 != 0:
		return nil
	case len(files) == 0:
		l.lose("%s %s has just been created, and cannot be downloaded: %d %s", export.kind.name, export.id, looked.Status, looked.Body)
		return nil
	}
	sum := [32]byte(digest.Sum(nil))
	return &sum
}

// verify ends the load and checks on one of its servers that every acknowledged export is there and finished, and that those whose
// files are known have the same ones still. A long run looks each of them up and compares all files, a short one the last three hundred.
func (l *load) verify(s *server) {
	l.Helper()
	l.end()
	if l.Failed() {
		return
	}
	c := clientOf(l.T, s)
	statuses := map[string]string{}
	for from := ""; ; {
		var page struct {
			Exports  []struct{ ID, Status string }
			NextFrom string `json:"next_from"`
		}
		target := "/_mock/exports?limit=1000"
		if from != "" {
			target += "&from=" + url.QueryEscape(from)
		}
		c.send(http.MethodGet, target, "").decode(l.T, http.StatusOK, &page)
		for _, export := range page.Exports {
			statuses[export.ID] = export.Status
		}
		if from = page.NextFrom; from == "" {
			break
		}
	}
	long, compared := l.duration > 0, 0
	for i := len(l.all) - 1; i >= 0; i-- {
		export := l.all[i]
		switch status, there := statuses[export.id]; {
		case !there:
			l.lose("%s %s was acknowledged and is not there", export.kind.name, export.id)
		case status == stillWritten && !l.mayWait:
			l.lookUp(c, export)
		case status != "SUCCESS" && !l.mayWait:
			l.lose("%s %s is listed as %s", export.kind.name, export.id, status)
		case export.digest != nil && (long || compared < 300):
			compared++
			l.compare(c, export)
		case long && !l.mayWait:
			l.lookUp(c, export)
		}
	}
	l.Logf("%d exports acknowledged, %d stored, the files of %d compared", len(l.all), len(statuses), compared)
}

// stillWritten is the status of an export whose file takes longer than a lookup waits, as it may on a busy machine.
const stillWritten = "PENDING"

// lookUp asks for an export as its client would, until its file is written, and tells whether it is finished.
func (l *load) lookUp(c *client, export *acknowledged) bool {
	l.Helper()
	status := c.status(export.kind, export.id)
	for over := patient(); status == stillWritten && !over(); {
		status = c.status(export.kind, export.id)
	}
	if status != "SUCCESS" {
		l.lose("%s %s says %s", export.kind.name, export.id, status)
	}
	return status == "SUCCESS"
}

// compare checks that the files of an export have the bytes that they had.
func (l *load) compare(c *client, export *acknowledged) {
	l.Helper()
	if !l.lookUp(c, export) {
		return
	}
	if digest := sha256.Sum256(bytes.Join(c.files(export.kind, export.id), nil)); digest != *export.digest {
		l.lose("%s %s has other bytes than before", export.kind.name, export.id)
	}
}

// compareLast compares the last exports whose files are known: what was written last is in the greatest danger.
func (l *load) compareLast(s *server, most int) {
	l.Helper()
	l.mutex.Lock()
	all := l.all[max(0, len(l.all)-10*most):]
	l.mutex.Unlock()
	c := clientOf(l.T, s)
	for i := len(all) - 1; i >= 0 && most > 0; i-- {
		if all[i].digest != nil {
			most--
			l.compare(c, all[i])
		}
	}
}

// checkRound looks up all exports that were acknowledged since it was last called, and some older ones, after the server was started
// again. Of the last round it compares the files of some. It is for the time before the fault is over: clients wait until then, and
// make no more than can be looked up.
func (l *load) checkRound(s *server) {
	l.Helper()
	const older, mostFiles = 20, 10
	c, files := clientOf(l.T, s), 0
	round, before := l.nextRound()
	for i := len(round) - 1; i >= 0; i-- {
		if round[i].digest != nil && files < mostFiles {
			files++
			l.compare(c, round[i])
		} else {
			l.lookUp(c, round[i])
		}
	}
	for range min(older, len(before)) {
		if export := before[l.random.IntN(len(before))]; export.digest != nil {
			l.compare(c, export)
		} else {
			l.lookUp(c, export)
		}
	}
}

// nextRound are the exports that were acknowledged since it was last called, and all others.
func (l *load) nextRound() (round, before []*acknowledged) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	begin, end := l.checked, len(l.all)
	l.checked = end
	return l.all[begin:end], l.all[:begin]
}
