package correlation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// TestPhiCountsObjects compares the coefficient with one that is counted
// object by object.
func TestPhiCountsObjects(t *testing.T) {
	t.Parallel()
	const objects, fields = 300, 9
	r := rand.New(rand.NewPCG(1, 2))
	c := profile.NewCollection("things")
	var builder profile.Builder
	var parser scan.Parser
	var has [objects][fields]bool
	for i := range objects {
		text := []string{`"all":1`}
		for f := range fields {
			// The last field always comes with the first, the one before never.
			switch f {
			case fields - 1:
				has[i][f] = has[i][0]
			case fields - 2:
				has[i][f] = !has[i][0]
			default:
				has[i][f] = r.IntN(f+2) == 0
			}
			if has[i][f] {
				text = append(text, fmt.Sprintf(`"f%d":1`, f))
			}
		}
		d, err := parser.Parse([]byte("{" + strings.Join(text, ",") + "}"))
		require.NoError(t, err)
		builder.Add(c, d, 0, int64(i)<<10)
	}
	c.Settle()
	byName := map[string]*profile.Node{}
	for _, f := range c.Root.Object.Fields() {
		byName[f.Step.Name] = f
	}
	phis := New(c.Root.Object.Shapes)
	for a := range fields {
		for b := range fields {
			var n [2][2]float64
			for i := range objects {
				x, y := 0, 0
				if has[i][a] {
					x = 1
				}
				if has[i][b] {
					y = 1
				}
				n[x][y]++
			}
			spread := math.Sqrt((n[1][0] + n[1][1]) * (n[0][0] + n[0][1]) * (n[0][1] + n[1][1]) * (n[0][0] + n[1][0]))
			want := 0.0
			if spread > 0 {
				want = (n[1][1]*n[0][0] - n[1][0]*n[0][1]) / spread
			}
			got := phis.Phi(byName[fmt.Sprintf("f%d", a)], byName[fmt.Sprintf("f%d", b)])
			require.InDelta(t, want, got, 1e-12, "%d and %d", a, b)
		}
		require.Zero(t, phis.Phi(byName["all"], byName[fmt.Sprintf("f%d", a)]))
	}
}
