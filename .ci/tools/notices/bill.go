package main

import (
	"bytes"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// billOf is the bill of materials, as JSON.
func billOf(all []component) ([]byte, error) {
	bill := cdx.NewBOM()
	bill.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "rehearsal", Type: cdx.ComponentTypeApplication, Name: "rehearsal",
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
	}}
	list := make([]cdx.Component, 0, len(all))
	for _, c := range all {
		item := cdx.Component{BOMRef: c.purl, Type: cdx.ComponentTypeLibrary, Name: c.name, Version: c.version, PackageURL: c.purl, Scope: cdx.ScopeRequired}
		if strings.Contains(c.licence, " ") {
			item.Licenses = &cdx.Licenses{{Expression: c.licence}}
		} else {
			item.Licenses = &cdx.Licenses{{License: &cdx.License{ID: c.licence}}}
		}
		if c.sha512 != "" {
			item.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA512, Value: c.sha512}}
		}
		var parts []cdx.Property
		for _, part := range c.parts {
			parts = append(parts, cdx.Property{Name: "rehearsal:in", Value: part})
		}
		item.Properties = &parts
		list = append(list, item)
	}
	bill.Components = &list
	var out bytes.Buffer
	err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bill, cdx.SpecVersion1_6)
	return out.Bytes(), err
}
