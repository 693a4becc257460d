package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// packNPM makes the package of npm, of what `npm run build` left in schemas/dist.
func packNPM(r release) error {
	files := entries{}
	if err := files.addSchemas(""); err != nil {
		return err
	}
	if err := files.addTree("dist/", "schemas/dist"); err != nil {
		return fmt.Errorf("%w: run npm ci and npm run build in schemas first", err)
	}
	for name, file := range map[string]string{"README.md": "schemas/npm/README.md", "LICENSE": "schemas/LICENSE"} {
		if err := files.addFile(name, file); err != nil {
			return err
		}
	}
	description, err := os.ReadFile("schemas/package.json")
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage // their insides stay in order: types come before default
	if err := json.Unmarshal(description, &members); err != nil {
		return err
	}
	members["version"] = json.RawMessage(`"` + r.version + `"`)
	for _, name := range []string{"scripts", "devDependencies", "files"} { // they are for the repository
		delete(members, name)
	}
	if files["package.json"], err = json.MarshalIndent(members, "", "  "); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "rehearsal-npm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for name, data := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	target, err := filepath.Abs(r.folder)
	if err != nil {
		return err
	}
	command := exec.Command("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", target)
	command.Dir = folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("npm pack: %w\n%s", err, output)
	}
	return nil
}
