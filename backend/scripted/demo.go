package scripted

import "encoding/json"

// demoDelayMS paces the demos, in milliseconds for each delta, so that text is
// seen to stream in.
const demoDelayMS = 30

// Demo is a session in two turns against the simulator. It reads, searches,
// edits, makes one step without a word and one of two calls, and uses an
// ordinary tool where one is offered.
func Demo() *Script {
	return &Script{Model: "scripted-demo", DelayMS: demoDelayMS, Turns: []Turn{
		{Prompt: "I want to cook tomato soup on Saturday. Look into my notes, find the shopping list, and add what is missing. The recipe is among my files.", Steps: demoShopping()},
		{Prompt: "Good. Call the list \"Weekend shopping\" and pin it.", Steps: demoRename()},
	}}
}

// DemoPrompts gives the user's words that go with Demo, one for each turn.
func DemoPrompts() []string { return Demo().Prompts() }

func demoShopping() []Step {
	return []Step{
		{Text: "I'll look at the screen first.", ToolCalls: calls(current())},
		{Text: "Summary: The home screen is open and lists {{count}} apps.\nNext I open Notes.", ToolCalls: calls(act("{{action:open app:notes|open app:notes}}"))},
		{Text: "Summary: Opened Notes, which holds {{count}} notes; Groceries is one of them.\nI'll search for tomatoes, to see what there is already.", ToolCalls: calls(search("tomato"))},
		{Reasoning: "The hits name the shopping list and the recipe. The list comes first.",
			Text: "Summary: Searched for tomato: {{count}} hits, among them the shopping list and the soup recipe.\nI open the shopping list.", ToolCalls: calls(act("{{action:note:groceries|open note:groceries}}"))},
		{Text: "Summary: Opened {{title}}, a list of {{count}} lines with tomatoes on it already.\nStock is missing; I add it.", ToolCalls: calls(act("append note:groceries Vegetable stock"))},
		{Summary: "Summary: Added vegetable stock to {{title}}; the list has {{count}} lines now.", ToolCalls: calls(act("append note:groceries Cream, 200 ml"))},
		{Text: "Summary: Added cream as well, which makes {{count}} lines in {{title}}.\nI go back to all notes and look whether another note mentions bread.", ToolCalls: calls(act("open app:notes"), search("bread"))},
		{Text: "Summary: Went back to Notes and searched for bread; the search shows {{count}} hits.\nThe recipe lies among the files.", ToolCalls: calls(files("files.list", `{"path":"/Documents/recipes"}`))},
		{Text: "There is a recipe for tomato soup. I read it to be sure that nothing else is missing.", ToolCalls: calls(files("files.read", `{"path":"/Documents/recipes/tomato-soup.txt"}`))},
		{Text: "The search for bread shows {{count}} hits, and nothing is missing any more. Vegetable stock and cream are on the shopping list; tomatoes were there already. The screen shows \"{{title}}\" at cursor {{cursor}}, with {{count}} visible items."},
	}
}

func demoRename() []Step {
	return []Step{
		{Text: "I open the list again.", ToolCalls: calls(act("{{action:open note:groceries|open note:groceries}}"))},
		{Text: "Summary: Opened {{title}} again.\nNow the new name.", ToolCalls: calls(act("rename note:groceries Weekend shopping"))},
		{Text: "Summary: The list is called {{title}} now.\nAnd the pin.", ToolCalls: calls(act("{{action:pin note:groceries|pin note:groceries}}"))},
		{Text: "Summary: Pinned {{title}}.\nDone: the list is called \"{{title}}\" and stands at the top of the notes. Cursor {{cursor}}, {{count}} visible items."},
	}
}

func calls(list ...ToolCall) []ToolCall { return list }

func current() ToolCall { return ToolCall{Name: "zimoos.current", Arguments: json.RawMessage(`{}`)} }

// act gives a command with the cursor that the request shows.
func act(cmd string) ToolCall {
	return ToolCall{Name: "zimoos.act", Arguments: object("frameCursor", "{{cursor}}", "cmd", cmd)}
}

func search(query string) ToolCall {
	return ToolCall{Name: "zimoos.search", Arguments: object("query", query)}
}

func files(name, arguments string) ToolCall {
	return ToolCall{Name: name, Arguments: json.RawMessage(arguments), Optional: true}
}

// object writes names and values, in turn, as a JSON object of strings in that
// order.
func object(pairs ...string) json.RawMessage {
	out := "{"
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			out += ","
		}
		out += `"` + inJSON(pairs[i]) + `":"` + inJSON(pairs[i+1]) + `"`
	}
	return json.RawMessage(out + "}")
}
