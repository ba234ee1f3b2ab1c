package provider

// Profile says how one kind of endpoint wants its requests and what its cache
// does. It is data: fixed when a session starts, never changed within one, so
// that the same transcript always gives the same bytes.
type Profile struct {
	// Name is the key of the table below.
	Name string
	// Placement is where the tail goes when the transcript does not end with
	// the user's own message: PlaceAttach, PlaceSeparate or PlaceTool.
	Placement string
	// EmptyContent is the content of an assistant message that has tool calls
	// and no text: ContentNull, ContentEmpty or ContentAbsent.
	EmptyContent string
	// KeepReasoning replays the model's reasoning in history, under
	// ReasoningField when the response named no field of its own.
	KeepReasoning  bool
	ReasoningField string
	// KeepCallExtras replays unknown fields of a tool call (such as
	// extra_content) as they came.
	KeepCallExtras bool
	// CallIDs is how call ids look on the wire: IDsAsIs or IDsMistral9.
	CallIDs string
	// StreamUsage sends stream_options.include_usage.
	StreamUsage bool
	// MaxTokensField is the name of the parameter that limits the answer.
	MaxTokensField string
	// NarrationNeedsLine accepts a model's text as a Summary only when it has
	// the line that system[0] asks for.
	NarrationNeedsLine bool
	// ToolImages is what becomes of an image in an ordinary tool result:
	// ImagesParts keeps it as a part of the message, ImagesNote leaves a note
	// of its size, for endpoints that take text alone there.
	ToolImages string
	// CacheClass is the rule by which the provider reuses a prefix: CacheToken,
	// CacheBlock, CacheMinimumStep, CacheUnits or, with a CacheMark, CacheMarks. CacheBlock, CacheMinimum and
	// CacheStep are its figures in tokens; zero where the rule has none.
	CacheClass   string
	CacheBlock   int
	CacheMinimum int
	CacheStep    int
	// CacheMark is the mark that each request puts on its last sealed
	// message: MarkCacheControl or MarkBreakpoint; empty for none. Set it with
	// WithCacheMark.
	CacheMark string
	// Tokenizer names the tokenizer whose counts are exact for this provider;
	// empty where counts are estimates.
	Tokenizer string
}

// Values of the fields of Profile.
const (
	PlaceAttach   = "attach"
	PlaceSeparate = "separate"
	PlaceTool     = "tool"

	ContentNull   = "null"
	ContentEmpty  = "empty"
	ContentAbsent = "absent"

	IDsAsIs     = "as-is"
	IDsMistral9 = "mistral9"

	ImagesParts = "parts"
	ImagesNote  = "note"

	CacheToken       = "token"
	CacheBlock       = "block"
	CacheMinimumStep = "minimum-step"
	CacheUnits       = "units"

	CacheMarks = "marks"

	MarkCacheControl = "cache_control"
	MarkBreakpoint   = "prompt_cache_breakpoint"

	maxTokensOld = "max_tokens"
	maxTokensNew = "max_completion_tokens"

	fieldReasoningContent = "reasoning_content"
	fieldReasoning        = "reasoning"
	fieldThinking         = "thinking"
)

// profiles returns the table, in the order in which it is offered.
func profiles() []Profile {
	return []Profile{
		{
			// Takes text alone in tool messages: a picture there is a refused request.
			Name: "openai", Placement: PlaceAttach, EmptyContent: ContentNull,
			KeepCallExtras: true, CallIDs: IDsAsIs, StreamUsage: true,
			MaxTokensField: maxTokensNew, ToolImages: ImagesNote,
			CacheClass: CacheMinimumStep, CacheMinimum: 1024, CacheStep: 128,
			Tokenizer: "o200k_base",
		},
		{
			// Cache units end at the end of user input: the carrier stands
			// alone so that the history before it stays a whole unit. Thinking
			// models demand their reasoning back after a tool call.
			Name: "deepseek", Placement: PlaceSeparate, EmptyContent: ContentEmpty,
			KeepReasoning: true, ReasoningField: fieldReasoningContent,
			KeepCallExtras: true, CallIDs: IDsAsIs, StreamUsage: true,
			MaxTokensField: maxTokensOld, ToolImages: ImagesNote,
			CacheClass: CacheUnits,
		},
		{
			// Local servers render history through the model's template: a
			// dropped reasoning field is a difference in the prompt. They take
			// pictures in any message, where the model sees at all.
			Name: "lmstudio", Placement: PlaceAttach, EmptyContent: ContentEmpty,
			KeepReasoning: true, ReasoningField: fieldReasoningContent,
			KeepCallExtras: true, CallIDs: IDsAsIs, StreamUsage: true,
			MaxTokensField: maxTokensOld, ToolImages: ImagesParts,
			CacheClass: CacheToken,
		},
		{
			// Refuses null content.
			Name: "ollama", Placement: PlaceAttach, EmptyContent: ContentEmpty,
			KeepReasoning: true, ReasoningField: fieldReasoning,
			CallIDs: IDsAsIs, StreamUsage: true,
			MaxTokensField: maxTokensOld, NarrationNeedsLine: true, ToolImages: ImagesParts,
			CacheClass: CacheToken,
		},
		{
			Name: "vllm", Placement: PlaceAttach, EmptyContent: ContentEmpty,
			KeepReasoning: true, ReasoningField: fieldReasoningContent,
			KeepCallExtras: true, CallIDs: IDsAsIs, StreamUsage: true,
			MaxTokensField: maxTokensOld, ToolImages: ImagesParts,
			CacheClass: CacheBlock, CacheBlock: 16,
		},
		{
			Name: "llamacpp", Placement: PlaceAttach, EmptyContent: ContentEmpty,
			KeepReasoning: true, ReasoningField: fieldReasoningContent,
			KeepCallExtras: true, CallIDs: IDsAsIs, StreamUsage: true,
			MaxTokensField: maxTokensOld, ToolImages: ImagesParts,
			CacheClass: CacheToken,
		},
		{
			// The template refuses a user message after a tool message, and ids
			// that are not nine letters or digits.
			Name: "mistral-template", Placement: PlaceTool, EmptyContent: ContentEmpty,
			CallIDs: IDsMistral9, StreamUsage: false,
			MaxTokensField: maxTokensOld, ToolImages: ImagesNote,
			CacheClass: CacheToken,
		},
		{
			// Unknown servers get the fewest optional fields.
			Name: "generic", Placement: PlaceAttach, EmptyContent: ContentEmpty,
			KeepCallExtras: true, CallIDs: IDsAsIs, StreamUsage: false,
			MaxTokensField: maxTokensOld, ToolImages: ImagesParts,
			CacheClass: CacheToken,
		},
	}
}
