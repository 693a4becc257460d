package listen

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// Trust is how a service is trusted, and how it comes to trust its client: files of PEM.
type Trust struct{ Authority, Certificate, Key string }

// Config is what a client of the service needs.
func (t Trust) Config(flag string) (*tls.Config, error) {
	const pemLimit = 1 << 20
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.Authority != "" {
		text, err := files.ReadBounded(flag, t.Authority, pemLimit)
		if err != nil {
			return nil, err
		}
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			config.RootCAs = x509.NewCertPool()
		}
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, usage.Errorf("%s %s has no certificate in PEM", flag, t.Authority)
		}
	}
	if t.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(t.Certificate, t.Key)
		if err != nil {
			return nil, fmt.Errorf("--upstream-cert: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
