// Package off has the switch that the program ablate puts on each condition.
package off

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

var (
	off        = os.Getenv("SHAPEVET_OFF") // number of the condition that is off
	decides, _ = os.OpenFile(os.Getenv("SHAPEVET_DECIDES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	noted      [1 << 16]atomic.Bool
)

// Off is called where a condition would have an effect. It records that in the
// file SHAPEVET_DECIDES and reports whether the condition is off.
func Off(n int) bool {
	if decides != nil && !noted[n].Swap(true) {
		fmt.Fprintln(decides, n)
	}
	return off != "" && off == strconv.Itoa(n)
}
