package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// readReady reads a ready file, which has to be as its schema says.
func readReady(t *testing.T, path string) (ready listen.Ready) {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	library := must.Get(schemas.Embedded())(t)
	value, err := schemas.Decode(data)
	if err == nil {
		err = library.Validate("mock/ready.json", value)
	}
	if err == nil {
		err = json.Unmarshal(data, &ready)
	}
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return ready
}

// TestReadyFile: it is there while the server listens, for its owner alone, and says how to reach it.
func TestReadyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ready.json")
	must.Do(t, os.WriteFile(path, []byte("left behind"), 0o644))
	s := start(t, nil, "--port", "0", "--state", "memory", "--profiles", "50", "--ready-file", path, "--control-token", "secret", "--public-url", "https://mock.example/")
	ready := readReady(t, path)
	want := listen.Ready{URL: s.base, PublicURL: "https://mock.example", ControlURL: s.base + "/_mock/", ControlToken: "secret", Process: os.Getpid(), Version: versionNow().version}
	must.Equal(t, ready, want, "the file says")
	if information, err := os.Stat(path); err != nil || information.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", information, err)
	}
	s.end()
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestReadyFileOfAnother: a server leaves alone what another one wrote.
func TestReadyFileOfAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ready.json")
	first := start(t, nil, "--port", "0", "--state", "memory", "--profiles", "50", "--ready-file", path)
	second := start(t, nil, "--port", "0", "--state", "memory", "--profiles", "50", "--ready-file", path)
	first.end()
	must.Equal(t, readReady(t, path).URL, second.base, "the file says")
}

// TestUnixSocket: it is for its owner alone, needs no token unless there is one, and a socket that is left behind is replaced.
func TestUnixSocket(t *testing.T) {
	directory, err := os.MkdirTemp("", "s") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(directory) })
	path := filepath.Join(directory, "s")
	left := must.Get(net.Listen("unix", path))(t)
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	invoke(t, "", "serve", "--state", "memory", "--addr", "unix:"+path).is(t, exitFailed, "", "another program listens there")
	left.Close()
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	defer client.CloseIdleConnections()
	clock := func() int {
		response := must.Get(client.Get("http://localhost/_mock/clock"))(t)
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	ready := filepath.Join(directory, "ready")
	s := start(t, nil, "--addr", "unix:"+path, "--state", "memory", "--profiles", "50", "--ready-file", ready)
	must.Equal(t, s.first, "listening on unix:"+path, "the first line")
	if information, err := os.Stat(path); err != nil || information.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", information, err)
	}
	if got := readReady(t, ready); got.Socket != path || got.URL != "http://localhost" || got.ControlToken != "" {
		t.Errorf("the ready file says %+v", got)
	}
	must.Equal(t, clock(), http.StatusOK, "the clock answers")
	if r := invoke(t, "", "health", "--addr", "unix:"+path); r.code != exitOK || r.out != "ready\n" {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	client.CloseIdleConnections()
	s.end()
	if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	s = start(t, nil, "--addr", "unix:"+path, "--state", "memory", "--profiles", "50", "--control-token", "secret")
	must.Equal(t, clock(), http.StatusUnauthorized, "without the token the clock answers")
	client.CloseIdleConnections()
	s.end()
}

// TestSelfSigned: a client that trusts the certificate can use the server, links are https, and nobody else can.
func TestSelfSigned(t *testing.T) {
	directory := t.TempDir()
	ready, saved := filepath.Join(directory, "ready.json"), filepath.Join(directory, "certificate.pem")
	s := start(t, nil, "--port", "0", "--state", "memory", "--profiles", "50", "--tls", "self-signed", "--tls-save", saved, "--ready-file", ready)
	content := readReady(t, ready)
	if data, err := os.ReadFile(saved); err != nil || string(data) != content.Certificate || content.URL != s.base || !strings.HasPrefix(s.base, "https://127.0.0.1:") {
		t.Errorf("the ready file says %+v, the server %s, %v", content, s.base, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(content.Certificate)) {
		t.Fatal("no certificate in the ready file")
	}
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.base, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"localhost", "127.0.0.1"} {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
		request, err := http.NewRequest("POST", "https://"+name+":"+port+"/1.0/live_demo/export/userbase", strings.NewReader(`{"ids":["install_id"]}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "X-Authorization": {"rest_demo"}, "X-Mock-Scenario": {"progress=now"}}
		response := must.Get(client.Do(request))(t)
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if got := listen.Fingerprint(response.TLS.PeerCertificates[0].Raw); got != content.Fingerprint || response.ProtoMajor != 2 {
			t.Errorf("the server shows %s over %s, the file says %s", got, response.Proto, content.Fingerprint)
		}
		request.Method, request.Body, request.ContentLength = "GET", nil, 0
		request.URL.Path = "/1.0/live_demo/export/request/" + strings.Split(string(body), `"`)[3]
		response = must.Get(client.Do(request))(t)
		body, _ = io.ReadAll(response.Body)
		response.Body.Close()
		must.Hold(t, strings.Contains(string(body), `"file_url":"https://`+name+":"+port+"/files/"), "the record: %s", body)
		request.Host = "evil.example"
		response = must.Get(client.Do(request))(t)
		response.Body.Close()
		if response.StatusCode != http.StatusForbidden || response.ProtoMajor != 2 {
			t.Errorf("under another name: %s over %s", response.Status, response.Proto)
		}
		client.CloseIdleConnections()
	}
	older := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, NextProtos: []string{"http/1.1"}}}}
	response := must.Get(older.Get("https://localhost:" + port + "/_mock/health"))(t)
	response.Body.Close()
	if response.StatusCode != http.StatusOK || response.ProtoMajor != 1 {
		t.Errorf("a client that knows HTTP/1.1 only: %s over %s", response.Status, response.Proto)
	}
	older.CloseIdleConnections()
	stranger := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: x509.NewCertPool()}}}
	if response, err := stranger.Get(s.base); err == nil {
		response.Body.Close()
		t.Error("who does not trust the certificate gets an answer")
	}
	invoke(t, "", "health", "--port", port, "--tls", "self-signed").is(t, exitOK, "", "")
	if s.end(); !strings.Contains(s.output.String(), "SHA-256 "+content.Fingerprint) || !strings.Contains(s.output.String(), "--cacert "+saved) {
		t.Errorf("the announcement: %s", s.output)
	}
}

// TestOwnCertificate: a certificate from files.
func TestOwnCertificate(t *testing.T) {
	example := httptest.NewTLSServer(nil)
	defer example.Close()
	made := example.TLS.Certificates[0]
	key := must.Get(x509.MarshalPKCS8PrivateKey(made.PrivateKey))(t)
	directory := t.TempDir()
	for name, content := range map[string]string{"cert.pem": armour("CERTIFICATE", made.Certificate[0]), "key.pem": armour("PRIVATE KEY", key)} {
		must.Do(t, os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600))
	}
	ready := filepath.Join(directory, "ready.json")
	start(t, nil, "--port", "0", "--state", "memory", "--profiles", "50", "--ready-file", ready,
		"--tls", filepath.Join(directory, "cert.pem")+","+filepath.Join(directory, "key.pem"))
	if got := readReady(t, ready); got.Fingerprint != listen.Fingerprint(made.Certificate[0]) || got.Certificate != "" {
		t.Errorf("the ready file says %+v, want the fingerprint %s", got, listen.Fingerprint(made.Certificate[0]))
	}
}

// TestHealth asks a server that is there, and one that is not.
func TestHealth(t *testing.T) {
	s := start(t, nil, "--port", "0", "--state", "memory", "--profiles", "50")
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.base, "http://"))
	if r := invoke(t, "", "health", "--port", port); r.code != exitOK || r.out != "ready\n" {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	invokeWith(t, nil, "serve: {addr: '0.0.0.0:"+port+"'}", "health", "--config", "FILE").is(t, exitOK, "", "")
	invoke(t, "", "health", "--port", port, "--tls", "self-signed").is(t, exitFailed, "", "")
	s.end()
	invoke(t, "", "health", "--port", port).is(t, exitFailed, "", "127.0.0.1:"+port)
}

// TestPortTaken: the message names the flag that was given.
func TestPortTaken(t *testing.T) {
	taken := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--profiles", "1")
	at := strings.TrimPrefix(taken.base, "http://")
	if _, port, err := net.SplitHostPort(at); err != nil {
		t.Fatal(err)
	} else if r := invoke(t, "", "serve", "--state", "memory", "--port", port); r.code != exitFailed || !strings.Contains(r.err, "--port "+port+": another program listens on 127.0.0.1:"+port+"; choose another port with --port") {
		t.Errorf("--port: %d %s", r.code, r.err)
	}
	invoke(t, "", "serve", "--state", "memory", "--addr", at).is(t, exitFailed, "", "--addr "+at+": another program listens there; choose another address with --addr")
}

// TestLAN: --lan listens on all addresses in the place of loopback, with a control token; an address of the network stays. Peers that are
// not on loopback reach what apps need alone.
func TestLAN(t *testing.T) {
	for _, given := range []string{"127.0.0.1:0", "localhost:0", "0.0.0.0:0"} {
		printed := launch(t, "serve", "--addr", given, "--lan", "--state", "memory", "--profiles", "10")
		host, port, err := net.SplitHostPort(strings.TrimPrefix(printed("listening on "), "http://"))
		must.Do(t, err)
		must.Hold(t, net.ParseIP(host).IsUnspecified(), "%s: listens on %s", given, host)
		must.Equal(t, printed("  /_mock/ "), "Authorization:", "the token")
		response := must.Get(http.Get("http://127.0.0.1:" + port + "/_mock/hosts"))(t)
		response.Body.Close()
		must.Equal(t, response.StatusCode, http.StatusUnauthorized, "without the token")
		for _, each := range auth.Reachable(&net.TCPAddr{IP: net.IPv4zero}) { // where there is a network
			from := must.Get(net.ResolveTCPAddr("tcp", each))(t)
			dialer := net.Dialer{LocalAddr: from}
			phone := http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
			for path, want := range map[string]int{"/join": http.StatusOK, "/api/x": http.StatusForbidden} {
				if response, err := phone.Get("http://127.0.0.1:" + port + path); err == nil { // systems differ in whether this connects
					response.Body.Close()
					must.Equal(t, response.StatusCode, want, "%s from %s", path, each)
				}
			}
		}
	}
}
