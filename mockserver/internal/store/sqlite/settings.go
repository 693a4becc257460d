package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Setting implements [store.Store].
func (s *Store) Setting(ctx context.Context, name string) ([]byte, error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	var value []byte
	if err := s.setting.QueryRow(name).Scan(&value); err != nil {
		return nil, s.readError(err, "setting", name)
	}
	return value, nil
}

// SetSetting implements [store.Store].
func (s *Store) SetSetting(ctx context.Context, name string, value []byte) error {
	value = append([]byte{}, value...)
	return s.write(ctx, func(w *writer) error {
		_, err := w.setSetting.Exec(name, value)
		return err
	})
}

// UpdateSetting implements [store.Store].
func (s *Store) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	return s.write(ctx, func(w *writer) error {
		var before []byte
		if err := w.setting.QueryRow(name).Scan(&before); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		after, err := change(before)
		if err != nil {
			return err
		}
		_, err = w.setSetting.Exec(name, append([]byte{}, after...))
		return err
	})
}

// Revision implements [store.Store]: no other process has the file.
func (s *Store) Revision(context.Context) (store.Revision, error) { return store.Revision{}, nil }

// InitSetting implements [store.Store].
func (s *Store) InitSetting(ctx context.Context, name string, value []byte) ([]byte, error) {
	value = append([]byte{}, value...)
	var kept []byte
	err := s.write(ctx, func(w *writer) error {
		if _, err := w.initSetting.Exec(name, value); err != nil {
			return err
		}
		return w.setting.QueryRow(name).Scan(&kept)
	})
	return kept, err
}
