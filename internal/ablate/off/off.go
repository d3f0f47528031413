// Package off is the switch that the program ablate puts on each condition.
package off

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

var (
	off        = os.Getenv("SHAPEVET_OFF") // the number of the condition that is off
	decides, _ = os.OpenFile(os.Getenv("SHAPEVET_DECIDES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	noted      [1 << 16]atomic.Bool
)

// Off is asked where a condition would decide something. It notes that in the
// file SHAPEVET_DECIDES, and tells whether the condition is off.
func Off(n int) bool {
	if decides != nil && !noted[n].Swap(true) {
		fmt.Fprintln(decides, n)
	}
	return off != "" && off == strconv.Itoa(n)
}
