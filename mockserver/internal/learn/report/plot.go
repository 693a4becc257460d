package report

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Sizes of plots, in the units of their drawing.
const (
	plotWidth, plotHeight = 420.0, 130.0
	rangeWidth            = 360.0
)

// bar is a rectangle of a plot.
type bar struct {
	X, Y, Width, Height float64
	World               bool
	Title               string
}

// mark is a label below a plot.
type mark struct {
	X    float64
	Text string
}

// drawing is a plot as rectangles and labels; the highest bar is as high as the plot.
type drawing struct {
	Bars  []bar
	Marks []mark
	Top   string
}

// bars draws a plot: for each cell a bar of the base and one of the world.
func bars(p Plot) (made drawing) {
	top := 0.0
	for _, list := range [][]*float64{p.Base, p.World} {
		for _, value := range list {
			if value != nil {
				top = max(top, *value)
			}
		}
	}
	if top == 0 {
		return made
	}
	made.Top = percent(top)
	step := plotWidth / float64(len(p.Labels))
	every, taken := p.labelsApart(step), 0.0
	for i, label := range p.Labels {
		for nth, list := range [][]*float64{p.Base, p.World} {
			if list[i] == nil {
				continue
			}
			height := tenths(*list[i] / top * plotHeight)
			made.Bars = append(made.Bars, bar{
				X: tenths((float64(i) + 0.1 + 0.4*float64(nth)) * step), Y: tenths(plotHeight - height), Width: tenths(0.4 * step), Height: height, World: nth == 1,
				Title: fmt.Sprintf("%s, %s: %s", label, []string{"base", "world"}[nth], percent(*list[i])),
			})
		}
		half := widthOf(label) / 2
		at := max(min((float64(i)+0.5)*step, plotWidth-half), half) // a label does not leave the plot
		if i%every == 0 && at-half >= taken {
			made.Marks = append(made.Marks, mark{tenths(at), label})
			taken = at + half
		}
	}
	return made
}

// letterWidth is about how wide a letter of a label is, in the units of a plot.
const letterWidth = 6.5

// widthOf is about how wide a label is, in the units of a plot.
func widthOf(label string) float64 { return letterWidth * float64(utf8.RuneCountInString(label)) }

// labelsApart is how many cells further the next label is, so that none lies on another.
func (p *Plot) labelsApart(step float64) int {
	longest := 0.0
	for _, label := range p.Labels {
		longest = max(longest, widthOf(label))
	}
	return int(math.Ceil((longest + letterWidth) / step))
}

// span is a share of the base with its interval, that of the world, and how far this may be on its side, as places on a line from 0
// to 1.
type span struct {
	Low, Width, Base, World, BoundLow, BoundWidth float64
}

func ranges(c Comparison) span {
	from, to := c.Base, min(c.Base+c.Bound, 1)
	if c.World < c.Base {
		from, to = max(c.Base-c.Bound, 0), c.Base
	}
	return span{
		Low: tenths(c.Low * rangeWidth), Width: tenths((c.High - c.Low) * rangeWidth), Base: tenths(c.Base * rangeWidth), World: tenths(c.World * rangeWidth),
		BoundLow: tenths(from * rangeWidth), BoundWidth: tenths((to - from) * rangeWidth),
	}
}

func tenths(value float64) float64 { return float64(int64(value*10+0.5)) / 10 }
