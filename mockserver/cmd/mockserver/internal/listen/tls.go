package listen

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// SelfSigned is the mode of --tls in which the program makes the certificate.
const SelfSigned = "self-signed"

// selfSignedLife is how long a certificate that was made is valid. Clients of Apple refuse those that are valid for longer.
const selfSignedLife = 397 * 24 * time.Hour

// TLS are the flags of the certificate.
type TLS struct {
	Mode string // [SelfSigned], files of a certificate and its key, or empty
	Save string // file for the certificate that is made
}

// Define adds the flags to a command.
func (f *TLS) Define(flags *pflag.FlagSet) {
	flags.StringVar(&f.Mode, "tls", "", "serve HTTPS only: `TLS` is self-signed, a certificate created at every start, for localhost, 127.0.0.1, ::1, the host name, the host of --public-url and those of --host, or CERT,KEY, the files (PEM) of a certificate chain and its private key")
	flags.StringVar(&f.Save, "tls-save", "", "write the certificate of --tls self-signed to `FILE` (PEM), for clients to trust; the ready file has it as well")
}

// Check refuses flags that do not go together.
func (f *TLS) Check() error {
	certificate, key, files := f.files()
	switch {
	case f.Mode != "" && f.Mode != SelfSigned && !files, files && (certificate == "" || key == ""):
		return usage.Errorf("--tls is %q; it must be %s, or two files, CERT,KEY", f.Mode, SelfSigned)
	case f.Save != "" && f.Mode != SelfSigned:
		return usage.Errorf("--tls-save writes the certificate of --tls %s, which is not given", SelfSigned)
	}
	return nil
}

// files are those of a certificate and its key, if they are given.
func (f *TLS) files() (certificate, key string, are bool) { return strings.Cut(f.Mode, ",") }

// certificate is what a server shows to its clients.
type certificate struct {
	made        bool   // by this program
	trusted     string // PEM: what a client has to trust; empty unless made here
	fingerprint string // SHA-256 of the server's certificate, as AA:BB:...
	chain       tls.Certificate
}

// note says how a client comes to trust the certificate, ready to be appended.
func (c *certificate) note(file string) string {
	switch {
	case !c.made:
		return ""
	case file != "":
		return "; clients trust " + file
	}
	return "; made for this start, --tls-save FILE writes it for clients to trust"
}

// Secure lets the endpoint speak TLS, if the flags ask for that. A certificate
// that is made here is for the host of the public URL and the names as well.
func (e *Endpoint) Secure(f TLS, publicURL string, names []string, now time.Time) error {
	var shown *certificate
	var err error
	switch {
	case f.Mode == SelfSigned:
		if shown, err = makeCertificate(serverNames(publicURL, e.Address(), names...), now); err != nil {
			return fmt.Errorf("--tls: %w", err)
		}
		if f.Save != "" {
			if err := files.CheckOutput("--tls-save", f.Save); err != nil {
				return err
			}
			if err := os.WriteFile(f.Save, []byte(shown.trusted), 0o644); err != nil {
				return fmt.Errorf("--tls-save: %w", err)
			}
		}
	case f.Mode != "":
		chain, err := readCertificate(f)
		if err != nil {
			return err
		}
		shown = &certificate{chain: chain, fingerprint: Fingerprint(chain.Certificate[0])}
	default:
		return nil
	}
	e.show(shown)
	return nil
}

// show lets the endpoint speak TLS.
func (e *Endpoint) show(shown *certificate) {
	e.certificate = shown
	for i, each := range e.listeners {
		e.listeners[i] = tls.NewListener(each, &tls.Config{
			Certificates: []tls.Certificate{shown.chain}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		})
	}
}

// pemLimit is the size of the largest file of a certificate or key, in bytes.
const pemLimit = 1 << 20

// readCertificate reads the certificate that is given.
func readCertificate(f TLS) (tls.Certificate, error) {
	certificate, private, _ := f.files()
	chain, err := files.ReadBounded("--tls", certificate, pemLimit)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := files.ReadBounded("--tls", private, pemLimit)
	if err != nil {
		return tls.Certificate{}, err
	}
	made, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("--tls %s: %w", f.Mode, err)
	}
	return made, nil
}

// serverNames are the names under which clients may ask for the server.
func serverNames(publicURL string, address net.Addr, hosts ...string) []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if host, _, err := net.SplitHostPort(address.String()); err == nil {
		names = append(names, host)
	}
	if public, err := url.Parse(publicURL); err == nil {
		names = append(names, public.Hostname())
	}
	if host, err := os.Hostname(); err == nil {
		names = append(names, host)
	}
	names = append(names, hosts...)
	var kept []string
	for _, name := range names {
		unspecified := false
		if address, err := netip.ParseAddr(name); err == nil {
			unspecified = address.IsUnspecified()
		}
		if name != "" && !unspecified && !slices.Contains(kept, name) {
			kept = append(kept, name)
		}
	}
	return kept
}

// makeCertificate makes an authority and lets it sign the certificate of a server. The key of the authority is forgotten at once, so a
// client that trusts it trusts this one certificate. Some clients refuse a server that shows the authority itself. See
// docs/decisions/server.md#how-do-clients-trust-the-self-signed-certificate
func makeCertificate(names []string, now time.Time) (*certificate, error) {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	authority := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "Rehearsal, for one start"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(selfSignedLife - 24*time.Hour),
		IsCA: true, MaxPathLenZero: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: names[0]}, NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if address := net.ParseIP(name); address != nil {
			server.IPAddresses = append(server.IPAddresses, address)
		} else {
			server.DNSNames = append(server.DNSNames, name)
		}
	}
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return nil, err
	}
	parent, err := x509.ParseCertificate(root)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, server, parent, key.Public(), authorityKey)
	if err != nil {
		return nil, err
	}
	return &certificate{
		made: true, trusted: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root})),
		fingerprint: Fingerprint(leaf), chain: tls.Certificate{Certificate: [][]byte{leaf}, PrivateKey: key},
	}, nil
}

// serial draws the number of a certificate.
func serial() *big.Int {
	var number [16]byte
	_, _ = rand.Read(number[:]) // never fails
	number[0] &= 0x7f
	return new(big.Int).SetBytes(number[:])
}

// Fingerprint is the SHA-256 of a certificate, as AA:BB:...
func Fingerprint(certificate []byte) string {
	var pairs []string
	for _, octet := range sha256.Sum256(certificate) {
		pairs = append(pairs, fmt.Sprintf("%02X", octet))
	}
	return strings.Join(pairs, ":")
}
