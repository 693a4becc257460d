package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// dokkaFolder and kotlinFolder are where mobile/install.sh leaves what is needed to document Kotlin.
const (
	dokkaFolder  = "build/_mobile/tools/dokka"
	kotlinFolder = "build/_mobile/tools/maven"
	// dokkaLimit is many times what it takes: a failed analysis may never end.
	dokkaLimit = 15 * time.Minute
)

// documentation makes that of the library: with Dokka, and the Kotlin that goes with it, where that was fetched; otherwise as Javadoc.
func documentation(sources, classes, androidJar, work string) ([]byte, error) {
	from := filepath.Join(work, "sources")
	files, err := unpackSources(sources, from)
	if err != nil {
		return nil, err
	}
	to := filepath.Join(work, "documentation")
	if found, _ := filepath.Glob(dokkaFolder + "/dokka-core-*.jar"); len(found) == 0 {
		fmt.Println("skip  Dokka, which documents Kotlin as well: `REQUIRE_ALL=1 sh mobile/install.sh` fetches it; this is Javadoc")
		err = javadoc(files, from, androidJar, to)
	} else {
		err = dokka([]string{filepath.Join(from, "io"), "mobile/kotlin/src"}, []string{classes, androidJar}, to, work)
	}
	if err != nil {
		return nil, err
	}
	return withClasses(emptyZip, to)
}

// unpackSources unpacks what is documented and what that needs, and gives the files of the former: what is in go.* is gobind's, which
// nobody calls.
func unpackSources(jar, to string) (documented []string, err error) {
	entries, err := readZip(jar)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		ours := strings.HasPrefix(entry.name, "io/")
		if !strings.HasSuffix(entry.name, ".java") || !ours && !strings.HasPrefix(entry.name, "go/") {
			continue
		}
		file := filepath.Join(to, filepath.FromSlash(entry.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, entry.data, 0o644); err != nil {
			return nil, err
		}
		if ours {
			documented = append(documented, file)
		}
	}
	return documented, nil
}

// dokka documents Java and Kotlin. What has no comment is an error.
func dokka(sources, classPath []string, to, work string) error {
	// The jars of Dokka itself; all others are plug-ins and what those need.
	var own, plugins []string
	jars, err := absolute(dokkaFolder + "/*.jar")
	if err != nil {
		return err
	}
	for _, jar := range jars {
		if ofDokka.MatchString(filepath.Base(jar)) {
			own = append(own, jar)
		}
		if !strings.HasPrefix(filepath.Base(jar), "dokka-core") {
			plugins = append(plugins, jar)
		}
	}
	kotlin, err := absolute(kotlinFolder+"/kotlin-stdlib-*.jar", kotlinFolder+"/kotlinx-coroutines-core-jvm-*.jar")
	if err != nil {
		return err
	}
	settings, err := json.Marshal(object{
		"moduleName": "Rehearsal", "outputDir": to, "offlineMode": true, "pluginsClasspath": plugins,
		"sourceSets": []object{{
			"displayName": "Android", "sourceSetID": object{"scopeId": "rehearsal", "sourceSetName": "android"}, "sourceRoots": sources,
			"classpath": append(kotlin, classPath...), "includes": []string{"mobile/pack/dokka/module.md"}, "reportUndocumented": true,
			"noStdlibLink": true, "noJdkLink": true, "noAndroidSdkLink": true, "analysisPlatform": "jvm",
		}},
	})
	if err != nil {
		return err
	}
	file := filepath.Join(work, "dokka.json")
	if err := os.WriteFile(file, settings, 0o644); err != nil {
		return err
	}
	limited, end := context.WithTimeout(context.Background(), dokkaLimit)
	defer end()
	said, err := exec.CommandContext(limited, "java", "-cp", strings.Join(own, string(os.PathListSeparator)),
		"mobile/pack/dokka/Document.java", file).CombinedOutput()
	if err != nil {
		return fmt.Errorf("dokka: %w\n%s", err, said)
	}
	var complaints []string
	for line := range strings.Lines(string(said)) {
		if !generated.MatchString(line) {
			complaints = append(complaints, line)
		}
	}
	if len(complaints) > 0 {
		return fmt.Errorf("dokka misses comments, or warns:\n%s", strings.Join(complaints, ""))
	}
	return nil
}

var (
	ofDokka = regexp.MustCompile(`^(dokka-core|jackson|kotlin-(stdlib|reflect)|kotlinx-coroutines|woodstox|stax2|jakarta|annotations)`)
	// generated is what gobind gives to every class, without a comment.
	generated = regexp.MustCompile(`^Undocumented: io\.github\.rehearsalsdk\.actions/(\w+/(incRefnum|equals|hashCode|toString|touch)/|Actions/ )`)
)

// absolute gives the files that match, as they are kept.
func absolute(patterns ...string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("there is no %s: run `REQUIRE_ALL=1 sh mobile/install.sh`", pattern)
		}
		for _, name := range found {
			file, err := filepath.EvalSymlinks(name)
			if err == nil {
				file, err = filepath.Abs(file)
			}
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	return files, nil
}
