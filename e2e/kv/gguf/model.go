package gguf

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Spec is the shape of a model. The zero value is a good one.
type Spec struct {
	Seed uint64
}

// The shape: as small as the engine takes, with attention over all that came before.
const (
	layers  = 2
	width   = 64
	heads   = 2
	inner   = 128
	context = 131072

	epsilon  = 1e-5
	ropeBase = 500000

	// spread is the standard deviation of the random weights that the policy leaves alone; voice that of the output
	// matrix: with it chance moves a logit by about one nat.
	spread = 0.3
	voice  = 0.25
	// feature is the value of the policy's channel of the last token: far above all random ones, so that what the
	// final normalisation makes of it is known.
	feature = 8.0
)

// Write writes the model.
func Write(w io.Writer, s Spec) error {
	v := newVocabulary()
	values := []value{
		str("general.architecture", "llama"), str("general.name", "zimoscope-random"),
		u32("llama.context_length", context), u32("llama.embedding_length", width), u32("llama.block_count", layers),
		u32("llama.feed_forward_length", inner), u32("llama.attention.head_count", heads), u32("llama.attention.head_count_kv", heads),
		u32("llama.rope.dimension_count", width/heads), u32("llama.vocab_size", len(v.tokens)),
		f32("llama.attention.layer_norm_rms_epsilon", epsilon), f32("llama.rope.freq_base", ropeBase),
	}
	return write(w, append(values, v.metadata()...), weights(s, v))
}

// weights makes all tensors. The first channels of the residual stream belong to the policy: no block reads or
// writes them, so the output matrix finds the class of the last token there, and its columns for them are biases of the
// next token.
func weights(s Spec, v *vocabulary) []tensor {
	random := rand.New(rand.NewPCG(s.Seed, 1))
	matrix := func(name string, rows, cols int, scale float64) tensor {
		t := tensor{name, rows, cols, make([]float32, rows*cols)}
		for i := range t.data {
			t.data[i] = float32(random.NormFloat64() * scale)
		}
		return t
	}
	scales := func(name string, from int) tensor {
		t := tensor{name, 1, width, make([]float32, width)}
		for i := from; i < width; i++ {
			t.data[i] = 1
		}
		return t
	}
	embed := matrix("token_embd.weight", len(v.tokens), width, spread)
	out := matrix("output.weight", len(v.tokens), width, voice)
	for id := range v.tokens {
		for c := range classes {
			embed.data[id*width+c], out.data[id*width+c] = 0, float32(v.bias(c, id)/feature)
		}
		embed.data[id*width+v.class(id)] = float32(feature)
	}
	tensors := []tensor{embed, scales("output_norm.weight", 0), out}
	for i := range layers {
		name := func(part string) string { return fmt.Sprintf("blk.%d.%s.weight", i, part) }
		in, wide := 1/math.Sqrt(width), 1/math.Sqrt(inner)
		back, down := matrix(name("attn_output"), width, width, in), matrix(name("ffn_down"), width, inner, wide)
		clear(back.data[:classes*width])
		clear(down.data[:classes*inner])
		tensors = append(tensors, scales(name("attn_norm"), classes), scales(name("ffn_norm"), classes),
			matrix(name("attn_q"), width, width, in), matrix(name("attn_k"), width, width, in), matrix(name("attn_v"), width, width, in), back,
			matrix(name("ffn_gate"), inner, width, in), matrix(name("ffn_up"), inner, width, in), down)
	}
	return tensors
}
