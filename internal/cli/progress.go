package cli

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressDelay keeps the bar from flashing up in short runs.
const progressDelay = time.Second

// progress is a bar on a terminal. Its methods must not be called
// concurrently.
type progress struct {
	out   io.Writer
	start time.Time
	bar   *progressbar.ProgressBar
	total int64
}

func newProgress(out io.Writer) *progress {
	return &progress{out: out, start: time.Now()}
}

// update shows how many of total bytes have been read. If either is smaller
// than before, a new pass over the input has started.
func (p *progress) update(done, total int64) {
	if p.bar == nil {
		if time.Since(p.start) < progressDelay {
			return
		}
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription("checking"),
			progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
		)
		p.total = total
	}
	if total != p.total {
		p.bar.ChangeMax64(total)
		p.total = total
	}
	_ = p.bar.Set64(min(done, total-1)) // at the total the bar would finish, but another pass may follow
}

// clear removes the bar.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
