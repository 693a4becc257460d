package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// smuggled is a second request that a careless server would find behind, or inside, the first one.
const smuggled = "GET /_mock/state HTTP/1.1\r\nHost: x\r\n\r\n"

// post is the head of a creation, without its last line.
const post = "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: rest_demo\r\nContent-Type: application/json\r\n"

const plainBody = `{"ids":["install_id"]}`

const cutChunk = post + "Transfer-Encoding: chunked\r\n\r\n16\r\n{\"ids\""

// awaited is how many answers come while the connection is open.
func awaited(text string, wanted []int) int {
	switch {
	case text == cutChunk:
		return 0
	case wanted == nil:
		return 1
	}
	return len(wanted)
}

// TestSmuggling sends requests about whose end two servers could disagree. Either the request is refused and the connection ends,
// or it has one meaning, that of the standard; what is inside a body is never a request.
func TestSmuggling(t *testing.T) {
	s := start(t, "--state", "memory", "--profiles", "100")
	c := clientOf(t, s)
	length := fmt.Sprintf("Content-Length: %d\r\n", len(plainBody))
	chunk := fmt.Sprintf("%x\r\n%s\r\n", len(plainBody), plainBody)
	for _, test := range []struct {
		name, text string
		answers    []int // nil: closed without a word, or refused with 400 or 501
	}{
		{"an honest request", post + length + "\r\n" + plainBody, []int{202}},
		{"two honest requests in one piece", post + length + "\r\n" + plainBody + post + length + "\r\n" + plainBody, []int{202, 202}},
		{"honest chunks", post + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n", []int{202}},
		{"chunk extensions", post + "Transfer-Encoding: chunked\r\n\r\n" + strings.Replace(chunk, "\r\n", ";name=value;other=\"x\"\r\n",
			1) + "0\r\n\r\n", []int{202}},
		{"a length twice, the same", post + length + length + "\r\n" + plainBody, []int{202}},

		{"a length and chunks", post + length + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled, nil},
		{"chunks and a length", post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n",
			len(smuggled), smuggled), nil},
		{"two lengths", post + length + "Content-Length: 0\r\n\r\n" + plainBody + smuggled, nil},
		{"two lengths in one line", post + "Content-Length: 0, 22\r\n\r\n" + plainBody + smuggled, nil},
		{"a length with a sign", post + "Content-Length: +22\r\n\r\n" + plainBody, nil},
		{"a negative length", post + "Content-Length: -1\r\n\r\n" + plainBody + smuggled, nil},
		{"a length in hexadecimal", post + "Content-Length: 0x16\r\n\r\n" + plainBody + smuggled, nil},
		{"a length past all numbers", post + "Content-Length: 99999999999999999999\r\n\r\n" + plainBody, nil},
		{"an unknown coding", post + "Transfer-Encoding: identity\r\n" + length + "\r\n" + plainBody + smuggled, nil},
		{"two codings", post + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunk + "0\r\n\r\n" + smuggled, nil},
		{"a coding twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n" + smuggled, nil},
		{"a disguised coding", post + "Transfer-Encoding: xchunked\r\n" + length + "\r\n" + plainBody + smuggled, nil},
		{"a coding with a vertical tab", post + "Transfer-Encoding: \x0bchunked\r\n" + length + "\r\n" + plainBody + smuggled, nil},
		{"a space before the colon", post + "Transfer-Encoding : chunked\r\n" + length + "\r\n" + plainBody + smuggled, nil},
		{"a space before the name", post[:len(post)-2] + "\r\n Content-Length : 0\r\n" + length + "\r\n" + plainBody, nil},
		{"a folded header", post + "Transfer-Encoding:\r\n chunked\r\n" + length + "\r\n" + plainBody + smuggled, nil},
		{"no name", post + ": value\r\n" + length + "\r\n" + plainBody, nil},
		{"a carriage return in a value", post + "X-Other: a\rContent-Length: 0\r\n" + length + "\r\n" + plainBody, nil},
		{"a zero byte in a value", post + "X-Other: a\x00b\r\n" + length + "\r\n" + plainBody, nil},
		{"a zero byte in a name", post + "X-\x00Other: a\r\n" + length + "\r\n" + plainBody, nil},
		{"two hosts", strings.Replace(post, "Host: x\r\n", "Host: x\r\nHost: y\r\n", 1) + length + "\r\n" + plainBody, nil},
		{"no host", strings.Replace(post, "Host: x\r\n", "", 1) + length + "\r\n" + plainBody, nil},
		{"another version", strings.Replace(post, "HTTP/1.1", "HTTP/9.9", 1) + length + "\r\n" + plainBody, nil},
		{"a chunk size with a sign", post + "Transfer-Encoding: chunked\r\n\r\n+16\r\n" + plainBody + "\r\n0\r\n\r\n" + smuggled, nil},
		{"a chunk size in words", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + plainBody + "\r\n0\r\n\r\n" + smuggled, nil},
		{"a chunk that is longer than it says", post + "Transfer-Encoding: chunked\r\n\r\n2\r\n" + plainBody + "\r\n0\r\n\r\n" + smuggled, nil},
		{"a chunk past all numbers", post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n" + plainBody + "\r\n0\r\n\r\n" + smuggled,
			nil},
		{"chunk extensions without an end", post + "Transfer-Encoding: chunked\r\n\r\n16;" + strings.Repeat("x", 1<<20), nil},
		{"chunks that are nothing but extensions", post + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("x",
			2000)+"\r\n \r\n", 200) + "0\r\n\r\n", nil},
		{"a forbidden trailer",
			post + "Transfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n" + chunk + "0\r\nContent-Length: 0\r\n\r\n" + smuggled, nil},
		{"a cut chunk", cutChunk, nil},
	} {
		answers := exchange(t, s, test.text, awaited(test.text, test.answers))
		got := statuses(answers)
		switch {
		case test.answers != nil:
			if !slices.Equal(got, test.answers) {
				t.Errorf("%s: %v, want %v: %s", test.name, got, test.answers, said(answers))
			}
		case len(answers) > 1:
			t.Errorf("%s: %v: something was smuggled", test.name, got)
		case len(answers) == 1 && got[0] != 400 && got[0] != 501 && got[0] != 505:
			t.Errorf("%s: %v, want it refused: %.200s", test.name, got, answers[0].Body)
		}
	}
	stillServing(t, c)

	// A line may end with a bare line feed, as RFC 9112 lets a server read it; a body is counted all the same.
	answers := exchange(t, s, strings.ReplaceAll(post+length+"\r\n", "\r\n", "\n")+plainBody, 1)
	if got := statuses(answers); !slices.Equal(got, []int{202}) && !slices.Equal(got, []int{400}) {
		t.Errorf("bare line feeds: %v", got)
	}
	if lines := strings.Count(s.log.String(), "refused what was no request"); lines < 15 {
		t.Errorf("the log tells of %d refused connections:\n%s", lines, s.log)
	}
	var counted struct{ Count int }
	c.send("GET", "/_mock/journal/count?status=4xx", "").decode(t, 200, &counted)
	t.Logf("%d lines in the log, %d refused requests in the journal", strings.Count(s.log.String(), "refused what was no request"),
		counted.Count)
}
