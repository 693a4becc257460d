package listen

import (
	"crypto/tls"
	"crypto/x509"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// Trust returns the settings of a client that trusts the authorities in a file and the system. The flag names the file.
func Trust(flag, authority string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority == "" {
		return config, nil
	}
	text, err := files.ReadBounded(flag, authority, pemLimit)
	if err != nil {
		return nil, err
	}
	if config.RootCAs, err = x509.SystemCertPool(); err != nil {
		config.RootCAs = x509.NewCertPool()
	}
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, usage.Errorf("%s %s has no certificate in PEM", flag, authority)
	}
	return config, nil
}
