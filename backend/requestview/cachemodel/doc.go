// Package cachemodel says what a provider's prompt cache could reuse, and reads what a provider says it reused. The
// two are separate facts, and neither is the equality of bytes, which package verdict proves.
//
// Contract: predictions are in tokens and come from bytes alone; they are estimates unless the tokenizer is exact
// for the model. A figure that a provider did not report is never shown as zero. A Cache is not safe for use by several
// goroutines; a Counter is. Nothing blocks but the first count, which loads the vocabulary.
package cachemodel
