package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"zimoscope/app/api"
)

// States of a job.
const (
	jobRunning   = "running"
	jobDone      = "done"
	jobFailed    = "failed"
	jobCancelled = "cancelled"
)

const (
	// jobsEvery is how often a job's progress is told: as often as a person can follow a bar.
	jobsEvery = 150 * time.Millisecond
	// keptJobs is how many jobs that have ended are kept to be looked at.
	keptJobs = 20
)

// jobs are what runs beside the window. A job's goroutine ends before close returns.
type jobs struct {
	mu      sync.Mutex
	list    []*job
	last    int
	told    time.Time
	running sync.WaitGroup
	publish func()
}

type job struct {
	api.Job
	cancel context.CancelFunc
	ended  chan struct{}
}

// begin starts a job. run gives what ended it; a cancelled context is no failure, a panic is one.
func (j *jobs) begin(about api.Job, run func(ctx context.Context, one *job) error) api.Job {
	ctx, cancel := context.WithCancel(context.Background())
	j.mu.Lock()
	j.last++
	about.ID, about.State, about.Notes = j.last, jobRunning, []string{}
	one := &job{Job: about, cancel: cancel, ended: make(chan struct{})}
	j.list = append(j.list, one)
	if len(j.list) > keptJobs && j.list[0].State != jobRunning {
		j.list = j.list[1:]
	}
	j.running.Add(1)
	j.mu.Unlock()
	j.publish()
	go func() {
		defer j.running.Done()
		defer cancel()
		err := safely(func() error { return run(ctx, one) })
		j.change(one, func(a *api.Job) {
			switch {
			case err == nil:
				a.State = jobDone
			case errors.Is(err, context.Canceled):
				a.State = jobCancelled
			default:
				a.State, a.Error = jobFailed, err.Error()
			}
		})
		close(one.ended)
	}()
	return about
}

// change tells of a step that must not be missed, progress of one that the next replaces.
func (j *jobs) change(one *job, do func(*api.Job)) {
	j.mu.Lock()
	do(&one.Job)
	j.mu.Unlock()
	j.publish()
}

func (j *jobs) progress(one *job, do func(*api.Job)) {
	j.mu.Lock()
	do(&one.Job)
	tell := time.Since(j.told) >= jobsEvery
	if tell {
		j.told = time.Now()
	}
	j.mu.Unlock()
	if tell {
		j.publish()
	}
}

// stop cancels the jobs that fit, and waits for their ends.
func (j *jobs) stop(fits func(api.Job) bool) {
	j.mu.Lock()
	var list []*job
	for _, one := range j.list {
		if one.State == jobRunning && fits(one.Job) {
			one.cancel()
			list = append(list, one)
		}
	}
	j.mu.Unlock()
	for _, one := range list {
		<-one.ended
	}
}

func (j *jobs) find(id int) (*job, int, error) {
	i := slices.IndexFunc(j.list, func(o *job) bool { return o.ID == id })
	if i < 0 {
		return nil, 0, fmt.Errorf("job %d: %w", id, api.ErrNotFound)
	}
	return j.list[i], i, nil
}

// Jobs implements api.Service: oldest first.
func (s *Service) Jobs() ([]api.Job, error) {
	j := &s.jobs
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]api.Job, 0, len(j.list))
	for _, one := range j.list {
		out = append(out, one.Job)
	}
	return out, nil
}

// CancelJob implements api.Service: what was stored until then stays.
func (s *Service) CancelJob(id int) error {
	j := &s.jobs
	j.mu.Lock()
	defer j.mu.Unlock()
	one, _, err := j.find(id)
	if err == nil {
		one.cancel()
	}
	return err
}

// DismissJob implements api.Service: a job that has ended leaves the list.
func (s *Service) DismissJob(id int) error {
	j := &s.jobs
	j.mu.Lock()
	_, i, err := j.find(id)
	if err == nil && j.list[i].State != jobRunning {
		j.list = slices.Delete(j.list, i, i+1)
	}
	j.mu.Unlock()
	j.publish()
	return err
}
