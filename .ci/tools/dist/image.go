package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser runs the program: it is nobody, and the files in /data are its own.
const imageUser = 65532

// packImage makes an image for two processors of nothing but the program, certificates and licences, as a layout of OCI in a tar file.
func packImage(r release, programs []program) error {
	common, err := imageFiles(r)
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var alone []mutate.IndexAddendum
	for _, p := range programs {
		if p.system != "linux" {
			continue
		}
		image, err := imageOf(r, p, common)
		if err != nil {
			return err
		}
		platform := v1.Platform{OS: p.system, Architecture: p.arch}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
		alone = append(alone, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform, Annotations: reference(r.version + "-" + p.arch)}})
	}
	// One reference for all, and one for each: some tools do not choose.
	all := append([]mutate.IndexAddendum{{Add: index, Descriptor: v1.Descriptor{Annotations: reference(r.version)}}}, alone...)
	folder := filepath.Join(r.root, "build/dist-work/image")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if _, err := layout.Write(folder, mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), all...)); err != nil {
		return err
	}
	content, err := layoutFiles(folder)
	if err != nil {
		return err
	}
	packed, err := content.tape(r.time)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("rehearsal_%s_oci.tar", r.version), packed)
}

func reference(name string) map[string]string {
	return map[string]string{"org.opencontainers.image.ref.name": name}
}

// imageFiles are those of every processor.
func imageFiles(r release) (files, error) {
	var certificates bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // a file of certificates cannot say for what they hold
		}
		if err := pem.Encode(&certificates, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	licences, err := r.licences("licenses/")
	if err != nil {
		return nil, err
	}
	return append(files{
		{name: "data/", user: imageUser},
		{name: "etc/"}, {name: "etc/ssl/"}, {name: "etc/ssl/certs/"},
		{name: "etc/passwd", data: fmt.Appendf(nil, "nonroot:x:%d:%d::/data:/sbin/nologin\n", imageUser, imageUser)},
		{name: "etc/ssl/certs/ca-certificates.crt", data: certificates.Bytes()},
		{name: "licenses/"},
		{name: "mockserver", link: "rehearsal"},
		{name: "tmp/", mode: 0o777 | fs.ModeSticky},
	}, licences...), nil
}

// imageOf is the image for one processor.
func imageOf(r release, p program, common files) (v1.Image, error) {
	packed, err := append(files{{name: "rehearsal", data: p.data, mode: 0o755}}, common...).sorted().tape(r.time)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed)), nil }
	layer, err := tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	when := v1.Time{Time: r.time}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{Created: when, CreatedBy: "make dist"}})
	if err != nil {
		return nil, err
	}
	user := fmt.Sprintf("%d:%d", imageUser, imageUser)
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.system, p.arch, when
	config.Config = v1.Config{
		User: user, WorkingDir: "/data", Entrypoint: []string{"/rehearsal"}, Cmd: []string{"serve"},
		Env:          []string{"PATH=/", "REHEARSAL_ADDR=:8080", "REHEARSAL_STATE=/data/rehearsal.db"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "rehearsal", "org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.version": r.version, "org.opencontainers.image.revision": r.commit,
			"org.opencontainers.image.source": "https://github.com/rehearsal-sdk/rehearsal",
		},
	}
	return mutate.ConfigFile(image, config)
}

// layoutFiles are the files of a layout, with modes and times of their own.
func layoutFiles(folder string) (files, error) {
	var content files
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		each := file{name: filepath.ToSlash(name)}
		if entry.IsDir() {
			each.name += "/"
		} else if each.data, err = os.ReadFile(path); err != nil {
			return err
		}
		content = append(content, each)
		return nil
	})
	return content.sorted(), err
}
