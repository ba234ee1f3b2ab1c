package service

import (
	"errors"
	"strings"
	"time"

	"zimoscope/app/api"
	"zimoscope/backend/store"
)

// take opens a session file to change it. A search that has the file lets go of it in a moment.
func (s *Service) take(id string) (*store.Session, error) {
	s.shelf.Lock()
	defer s.shelf.Unlock()
	return s.o.Store.Open(id)
}

// Rename implements api.Service.
func (s *Service) Rename(id, name string) error {
	name = strings.TrimSpace(name)
	if name == "" {
		return errors.New("a session needs a name")
	}
	return s.onSession(id, func(sess *store.Session) error {
		return s.editInfo(sess, func(i store.Info) (store.Info, error) { i.Name = name; return i, nil })
	})
}

// Pin implements api.Service.
func (s *Service) Pin(id string, pinned bool) error {
	return s.onSession(id, func(sess *store.Session) error {
		return s.editInfo(sess, func(i store.Info) (store.Info, error) { i.Pinned = pinned; return i, nil })
	})
}

// editInfo changes what a session says of itself.
func (s *Service) editInfo(sess *store.Session, change func(store.Info) (store.Info, error)) error {
	s.infos.Lock()
	defer s.infos.Unlock()
	info, err := change(sess.Info())
	if err != nil {
		return err
	}
	if err := sess.Commit(store.Batch{Info: &info}); err != nil {
		return err
	}
	return sess.WriteSummary()
}

// onSession works on the open session, also while a turn runs in it, or opens another one for it.
func (s *Service) onSession(id string, do func(*store.Session) error) error {
	s.opening.Lock()
	defer s.opening.Unlock()
	if b, err := s.current(""); err == nil && b.sess.ID == id {
		return s.told(id, do(b.sess))
	}
	sess, err := s.take(id)
	if err != nil {
		return err
	}
	return s.told(id, errors.Join(do(sess), sess.Close()))
}

func (s *Service) told(id string, err error) error {
	s.publish(topicSessions, id)
	return err
}

// Delete implements api.Service: the session's files move to the trash.
func (s *Service) Delete(id string) error {
	s.opening.Lock()
	defer s.opening.Unlock()
	if b, err := s.current(""); err == nil && b.sess.ID == id {
		if err := s.closeCurrent(); err != nil {
			return err
		}
		s.publish(topicState, "")
	}
	s.shelf.Lock()
	err := s.o.Store.Discard(id)
	s.shelf.Unlock()
	return s.told(id, err)
}

// Trash implements api.Service.
func (s *Service) Trash() ([]api.DeletedSession, error) {
	list, err := s.o.Store.Trash()
	if err != nil {
		return nil, err
	}
	out := make([]api.DeletedSession, 0, len(list))
	for _, d := range list {
		out = append(out, api.DeletedSession{ID: d.ID, Name: d.Name, Requests: d.Requests, Bytes: d.Bytes, DeletedAt: d.DeletedAt,
			GoneAt: time.UnixMilli(d.DeletedAt).Add(store.KeptInTrash).UnixMilli()})
	}
	return out, nil
}

// Restore implements api.Service.
func (s *Service) Restore(id string) error { return s.told(id, s.o.Store.Restore(id)) }

// Purge implements api.Service.
func (s *Service) Purge(id string) error { return s.told(id, s.o.Store.Purge(id)) }

// Compact implements api.Service. A turn that is started meanwhile begins when it is done.
func (s *Service) Compact(id string) (out api.Compaction, err error) {
	s.mu.Lock()
	running := s.book != nil && s.book.sess.ID == id && s.cancel != nil
	s.mu.Unlock()
	if running {
		return out, errCompact // said at once: what holds the session open may take long
	}
	err = s.onSession(id, func(sess *store.Session) error {
		s.mu.Lock()
		running := s.cancel != nil && s.book != nil && s.book.sess == sess
		s.mu.Unlock()
		if running {
			return errCompact
		}
		out.Before, out.After, err = sess.Compact()
		return err
	})
	s.publish(topicState, id)
	return out, err
}
