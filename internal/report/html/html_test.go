package html_test

import (
	"crypto/sha256"
	"encoding/base64"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/report/html"
)

func write(t *testing.T, p html.Page) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, html.Write(&b, p))
	return b.String()
}

// TestTextsStayText puts markup into every text of a page.
func TestTextsStayText(t *testing.T) {
	t.Parallel()
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'` + "`"
	frame := &html.Frame{Line: 1, Before: evil, Marked: evil, After: evil}
	documents := []html.Document{{Collection: evil, Lines: []html.Line{{Text: evil}}}}
	d := &html.Diagram{
		Boxes: []*html.Box{{
			Name: evil, Size: evil, Kinds: []string{evil}, Findings: 1, Marks: []html.Link{{ID: "f1", Severity: "info", Label: evil}},
			Rows: []html.Row{{Name: evil, Path: evil, Type: evil, Detail: evil, Target: evil}},
		}},
		Arrows: []*html.Arrow{{Field: evil, Target: evil, FromCount: evil, ToCount: evil, Text: evil}},
	}
	d.Arrange()
	page := write(t, html.Page{
		Version: evil, Summary: evil, Tiles: []html.Tile{{Value: evil, Label: evil}}, Notes: []string{evil},
		Problems: []html.Problem{{Where: evil, Message: evil, Hint: evil}}, Diagram: d,
		Rules: []html.Choice{{Name: evil}}, Collections: []html.Choice{{Name: evil}},
		Findings: []html.Finding{{
			ID: "f1", Severity: "error", Rule: evil, About: evil, URL: "javascript:alert(3)", Message: evil, Subject: evil, Short: evil, Collection: evil, Where: evil, Frame: frame,
			Charts: []html.Chart{
				{Bars: &html.Bars{Caption: evil, Rows: []html.Bar{{Label: evil, Value: evil}}}},
				{Distribution: html.NewDistribution(evil, []html.Measure{{Name: evil, Value: 2}}, nil, nil)},
			},
			Values: []html.Value{{Label: evil, Text: evil, Where: evil}}, Facts: []string{evil}, Advice: evil,
			Fixes:   []html.Fix{{Title: evil, Safety: "plan", SafetyText: evil, Edits: []html.Edit{{Where: evil, Lines: []string{evil}}, {Where: evil, Lines: []string{evil, evil}}}, Before: documents, After: documents}},
			Related: []html.Place{{Message: evil, Where: evil, Frame: frame}},
		}},
	})
	assert.NotContains(t, page, "<img")
	assert.NotContains(t, page, "<script>alert")
	assert.NotContains(t, page, `href="javascript:`)
	assert.Equal(t, 1, strings.Count(page, "<script"))
	assert.Equal(t, 1, strings.Count(page, "</script>"))
	assert.Greater(t, strings.Count(page, "&lt;img src=x"), 40, "every text is there")
}

// TestPolicyAllowsTheScriptOfThePage checks that browsers run the script, and
// that nothing else is asked for.
func TestPolicyAllowsTheScriptOfThePage(t *testing.T) {
	t.Parallel()
	page := write(t, html.Page{})
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindStringSubmatch(page)
	require.NotNil(t, script)
	sum := sha256.Sum256([]byte(script[1]))
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]+)"`).FindStringSubmatch(page)
	require.NotNil(t, policy)
	assert.Contains(t, strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1]), "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	assert.Contains(t, policy[1], "default-src &#39;none&#39;")
	assert.NotRegexp(t, `(?i)src="|<link|@import|url\(|https?://`, page)
}

func TestDistribution(t *testing.T) {
	t.Parallel()
	d := html.NewDistribution("lengths",
		[]html.Measure{{Name: "median", Value: 9}, {Name: "99%", Value: 1204}, {Name: "longest", Value: 1204}, {Name: "95%", Value: 354}},
		[]html.Measure{{Name: "mongodb", Value: 247_000}, {Name: "dynamodb", Value: 8531}},
		[]html.Bin{{From: 0, To: 9, Count: 30}, {From: 10, To: 11}, {From: 12, To: 1204, Count: 10}})
	require.NotNil(t, d)
	assert.True(t, d.Log)
	require.Len(t, d.Marks, 3, "equal values share a mark")
	assert.Equal(t, "99%, longest", d.Marks[2].Name)
	assert.Equal(t, "1,204", d.Marks[2].Value)
	require.Len(t, d.Limits, 2)
	assert.Equal(t, "dynamodb", d.Limits[0].Name, "by value")
	assert.Less(t, d.Marks[2].At, d.Limits[0].At)
	require.Len(t, d.Bins, 2, "empty bins have no bar")
	assert.Equal(t, html.BinBar{Left: 0, Width: d.Bins[0].Width, Height: 100, Title: "0–9: 30"}, d.Bins[0])
	assert.InDelta(t, 100.0/3, d.Bins[1].Height, 0.01)

	linear := html.NewDistribution("levels", []html.Measure{{Name: "median", Value: 4}, {Name: "most", Value: 10}}, nil, nil)
	require.NotNil(t, linear)
	assert.False(t, linear.Log)
	assert.InDelta(t, 2.5, linear.Marks[1].At/linear.Marks[0].At, 0.01)
	assert.Equal(t, "0", linear.Ticks[0].Label)
	assert.GreaterOrEqual(t, len(linear.Ticks), 4)
}

func TestNoDistribution(t *testing.T) {
	t.Parallel()
	assert.Nil(t, html.NewDistribution("", nil, nil, nil))
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		assert.Nil(t, html.NewDistribution("", []html.Measure{{Name: "", Value: v}}, nil, nil), v)
	}
}

// TestDistributionStaysInItsPlot plots values of every size.
func TestDistributionStaysInItsPlot(t *testing.T) {
	t.Parallel()
	for _, top := range []float64{0.25, 1, 2, 3, 7, 19, 21, 255, 1e4, 3e6, 1e12} {
		for _, low := range []float64{0, 0.1, 1, top / 2} {
			d := html.NewDistribution("", []html.Measure{{Name: "low", Value: min(low, top)}, {Name: "top", Value: top}}, nil, []html.Bin{{From: 0, To: int64(top), Count: 3}})
			require.NotNil(t, d, top)
			last := -1.0
			for _, tick := range d.Ticks {
				assert.Greater(t, tick.At, last, top)
				assert.LessOrEqual(t, tick.At, 100.0, top)
				last = tick.At
			}
			assert.LessOrEqual(t, len(d.Ticks), 16, top)
			for _, m := range d.Marks {
				assert.True(t, m.At >= 0 && m.At <= 100, "%v of %v", m.At, top)
			}
			assert.LessOrEqual(t, d.Bins[0].Left+d.Bins[0].Width, 100.0, top)
		}
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 7: "7", 0.333333: "0.333", 45.8: "45.8", 950: "950", 1204: "1,204", 9999: "9,999", 12_600: "12.6k", 40_000: "40k",
		419_426: "419k", 3_100_000: "3.1M", 2e9: "2G", 5e12: "5T",
	} {
		assert.Equal(t, want, html.Short(v))
	}
}
