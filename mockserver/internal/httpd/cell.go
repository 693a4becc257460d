package httpd

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// mostSearched is how many bytes of a file are searched for a cell.
const mostSearched = 256 << 10

// cutInCell is where an answer breaks off, as cut=cell asks: a number of bytes of the body, or, of a file, the reader that breaks off. A
// range of a file that begins behind that place comes to its end.
func cutInCell(r *http.Request, answer *Response) (exports.Cut, *brokenOff) {
	file := answer.Content
	if file == nil {
		return exports.CutAfter(int64(cellIn(answer.Body))), nil
	}
	if r.Method == http.MethodHead {
		return exports.NoCut, nil
	}
	head, _ := io.ReadAll(io.LimitReader(file.Reader, mostSearched)) // what is wrong with it is found when it is sent
	broken := &brokenOff{ReadSeekCloser: file.Reader, end: int64(cellIn(head))}
	file.Reader = broken
	return exports.NoCut, broken
}

// cellIn is an offset at which the longest quoted cell, or text of JSON, is half over; without one, a cell near the middle. Of a packed
// body it is the offset at which a reader of its beginning has come so far.
func cellIn(body []byte) int {
	text := unpacked(body)
	isJSON := bytes.IndexAny(text, "[{") == 0
	begin, longest, middle := -1, 0, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && begin >= 0 && isJSON:
			i++
		case text[i] != '"':
		case begin < 0:
			begin = i
		default:
			if i-begin > longest {
				longest, middle = i-begin, (i+begin+1)/2
			}
			begin = -1
		}
	}
	inWord := func(at int) bool { return at < len(text) && bytes.IndexByte([]byte("\r\n\t,;|"), text[at]) < 0 }
	for i := len(text) / 2; longest <= 1 && middle == 0 && i > 0 && i < len(text); i++ {
		if inWord(i-1) && inWord(i) {
			middle = i
		}
	}
	return sort.Search(len(body), func(n int) bool { return len(unpacked(body[:n])) >= middle })
}

// unpacked is the content of the beginning of a file without its container.
func unpacked(head []byte) []byte {
	content, err := exports.Unzipped(bytes.NewReader(head))
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) && err == nil {
		content, err = gzip.NewReader(content)
	}
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(content) // up to where the beginning ends
	return text
}

// brokenOff is a file that ends too early, for who reads from a place before that end.
type brokenOff struct {
	io.ReadSeekCloser
	end, at int64
	passes  bool // it is read from behind the end
	reached bool
}

// Seek moves within the whole file.
func (b *brokenOff) Seek(offset int64, from int) (at int64, err error) {
	b.at, err = b.ReadSeekCloser.Seek(offset, from)
	b.passes = b.at >= b.end
	return b.at, err
}

// Read reads up to the early end.
func (b *brokenOff) Read(into []byte) (int, error) {
	if !b.passes {
		if b.reached = b.at == b.end; b.reached {
			return 0, io.EOF
		}
		into = into[:min(int64(len(into)), b.end-b.at)]
	}
	n, err := b.ReadSeekCloser.Read(into)
	b.at += int64(n)
	return n, err
}

// close ends the connection of a file that broke off.
func (b *brokenOff) close(w http.ResponseWriter, hard bool) {
	if b == nil || !b.reached {
		return
	}
	_ = http.NewResponseController(w).Flush()
	if hard {
		resetConnection(w)
	}
	panic(http.ErrAbortHandler)
}
