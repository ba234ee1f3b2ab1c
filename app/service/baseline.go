package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"zimoscope/app/api"
)

// baselineFile names the sessions that later runs are compared with, in the data folder.
const baselineFile = "baselines.json"

// baselines gives their names by session. A file that can't be read names none: nothing else depends on it.
func (s *Service) baselines() map[string]string {
	raw, err := os.ReadFile(filepath.Join(s.o.Store.Dir(), baselineFile))
	list := map[string]string{}
	if err != nil || json.Unmarshal(raw, &list) != nil {
		return map[string]string{}
	}
	return list
}

// SetBaseline implements api.Service. A name stands for one session: the one that had it before loses it.
func (s *Service) SetBaseline(session, name string) error {
	name = strings.TrimSpace(name)
	if _, err := s.nameOf(session); err != nil {
		return err
	}
	s.infos.Lock()
	defer s.infos.Unlock()
	list := s.baselines()
	delete(list, session)
	if name != "" {
		for id, n := range list {
			if n == name {
				delete(list, id)
			}
		}
		list[session] = name
	}
	if err := writeWhole(filepath.Join(s.o.Store.Dir(), baselineFile), list); err != nil {
		return fmt.Errorf("the baseline could not be kept: %w", err)
	}
	s.publish(topicSessions, session)
	return nil
}

// writeWhole replaces a file by one that is whole, or leaves it as it was.
func writeWhole(path string, value any) error {
	raw, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", append(raw, '\n'), 0o600); err != nil {
		return plainPath(err)
	}
	return os.Rename(path+".part", path)
}

// named marks a session that is a baseline.
func named(info api.SessionInfo, list map[string]string) api.SessionInfo {
	info.Baseline = list[info.ID]
	return info
}
