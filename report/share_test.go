package report

import (
	"fmt"
	"testing"
)

// Intervals that others computed: the paper's sections 5.1 and B.4 and its Table 20, in percent.
func TestWilsonAgreesWithPublishedIntervals(t *testing.T) {
	for _, c := range []struct {
		count, n int
		want     string
	}{
		{203, 558, "36.4 [32.5 40.5]"},
		{95, 125, "76.0 [67.8 82.6]"},
		{2, 100, "2.0 [0.6 7.0]"},
		{30, 30, "100.0 [88.6 100.0]"}, // the paper prints 88.65
		{0, 30, "0.0 [0.0 11.4]"},      // 11.35
		{25, 60, "41.7 [30.1 54.3]"},   // 30.06, 54.27
		{0, 10, "0.0 [0.0 27.8]"},      // 27.75
	} {
		s := shareOf(c.count, c.n)
		got := fmt.Sprintf("%.1f [%.1f %.1f]", *s.Rate*100, *s.Low*100, *s.High*100)
		if got != c.want {
			t.Errorf("share(%d, %d) = %s, want %s", c.count, c.n, got, c.want)
		}
	}
}

func TestNothingApplicableHasNoRate(t *testing.T) {
	s := shareOf(0, 0)
	if s.Rate != nil || s.Low != nil || s.High != nil {
		t.Errorf("share(0, 0) = %+v, want no rate", s)
	}
	if s.rate() != dash || s.interval() != dash {
		t.Errorf("prints %q %q, want a dash each", s.rate(), s.interval())
	}
}
