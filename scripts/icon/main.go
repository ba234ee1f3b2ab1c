// Command icon draws the application's icon, for packages (build/appicon.png) and for the window itself: the three parts of a request as stacked bars on dark,
// two solid (stored) and one hollow (sent with this request only). Run it in the module's root: go run ./scripts/icon.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

const (
	size = 512 // px
	fine = 4   // samples per pixel and direction
)

// outputs are where the icon is wanted; Go can embed only what lies beside the embedding file.
var outputs = []string{"build/appicon.png", "app/window/icon.png"}

// shape is a rounded rectangle; a stroke above 0 leaves only an outline of that width inside its edge.
type shape struct {
	x, y, w, h, radius, stroke float64
	fill                       color.NRGBA
}

var (
	ground  = color.NRGBA{0x12, 0x13, 0x17, 0xff}
	edge    = color.NRGBA{0x34, 0x38, 0x41, 0xff}
	prefix  = color.NRGBA{0x9a, 0xa1, 0xaf, 0xff}
	history = color.NRGBA{0x6f, 0x89, 0xf5, 0xff}
	carrier = color.NRGBA{0xe9, 0xea, 0xed, 0xff}
)

// picture is drawn in order, later shapes on top.
func picture() []shape {
	return []shape{
		{16, 16, 480, 480, 104, 0, ground},
		{16, 16, 480, 480, 104, 6, edge},
		{104, 116, 304, 76, 20, 0, prefix},
		{104, 218, 304, 76, 20, 0, history},
		{104, 320, 304, 76, 20, 12, carrier},
	}
}

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "icon:", err)
		os.Exit(1)
	}
}

func write() error {
	var data bytes.Buffer
	if err := png.Encode(&data, draw()); err != nil {
		return err
	}
	for _, path := range outputs {
		if err := os.WriteFile(path, data.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func draw() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for _, s := range picture() {
		for y := range size {
			for x := range size {
				img.SetNRGBA(x, y, over(img.NRGBAAt(x, y), s.fill, s.coverage(x, y)))
			}
		}
	}
	return img
}

// coverage is how much of a pixel the shape covers, 0 to 1.
func (s shape) coverage(px, py int) float64 {
	hits := 0
	for i := range fine * fine {
		x := float64(px) + (float64(i%fine)+0.5)/fine
		y := float64(py) + (float64(i/fine)+0.5)/fine
		if d := s.distance(x, y); d <= 0 && (s.stroke == 0 || d > -s.stroke) {
			hits++
		}
	}
	return float64(hits) / (fine * fine)
}

// distance to the edge, negative inside.
func (s shape) distance(x, y float64) float64 {
	dx := math.Abs(x-s.x-s.w/2) - s.w/2 + s.radius
	dy := math.Abs(y-s.y-s.h/2) - s.h/2 + s.radius
	return math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - s.radius
}

// over lays a colour on a pixel, weighted.
func over(below, above color.NRGBA, weight float64) color.NRGBA {
	alpha := weight + float64(below.A)/255*(1-weight)
	if alpha == 0 {
		return color.NRGBA{}
	}
	mix := func(b, a uint8) uint8 {
		return uint8(math.Round((float64(a)*weight + float64(b)*float64(below.A)/255*(1-weight)) / alpha))
	}
	return color.NRGBA{mix(below.R, above.R), mix(below.G, above.G), mix(below.B, above.B), uint8(math.Round(alpha * 255))}
}
