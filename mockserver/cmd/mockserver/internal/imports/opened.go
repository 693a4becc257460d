package imports

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// opened is a directory of open files. They can be removed while they are read, so that nothing of them is left
// behind, however the program ends.
type opened map[string]*os.File

// openAll opens the files of a directory and removes it; where open files cannot be removed, end does.
func openAll(directory string) (files opened, end func(), err error) {
	files = opened{}
	end = func() {
		for _, file := range files {
			file.Close()
		}
		os.RemoveAll(directory)
	}
	entries, err := os.ReadDir(directory)
	for _, entry := range entries {
		if err != nil {
			break
		}
		files[entry.Name()], err = os.Open(filepath.Join(directory, entry.Name()))
	}
	if err != nil {
		end()
		return nil, func() {}, err
	}
	_ = os.RemoveAll(directory)
	return files, end, nil
}

// Open implements [fs.FS].
func (o opened) Open(name string) (fs.File, error) {
	file := o[name]
	if file == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	information, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return part{io.NewSectionReader(file, 0, information.Size()), information}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (o opened) ReadDir(string) (entries []fs.DirEntry, err error) {
	for _, file := range o {
		information, err := file.Stat()
		if err != nil {
			return nil, err
		}
		entries = append(entries, fs.FileInfoToDirEntry(information))
	}
	return entries, nil
}

// part is one of the files, read from its beginning.
type part struct {
	*io.SectionReader
	information fs.FileInfo
}

func (p part) Stat() (fs.FileInfo, error) { return p.information, nil }
func (p part) Close() error               { return nil }
