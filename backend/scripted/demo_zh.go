package scripted

// DemoZH is Demo with Chinese words: the same steps against the same contents.
func DemoZH() *Script {
	return &Script{Model: "scripted-demo", DelayMS: demoDelayMS, Chunk: 3, Turns: []Turn{
		{Prompt: "周六我想做番茄汤。请看看我的笔记，找到购物清单，把缺的东西加上去。菜谱在我的文件里。", Steps: demoShoppingZH()},
		{Prompt: "很好。把清单改名为“周末采购”，并置顶。", Steps: demoRenameZH()},
	}}
}

// DemoPromptsZH gives the user's words that go with DemoZH, one for each turn.
func DemoPromptsZH() []string { return DemoZH().Prompts() }

func demoShoppingZH() []Step {
	return []Step{
		{Text: "我先看一下屏幕。", ToolCalls: calls(current())},
		{Text: "摘要：桌面已打开，列出 {{count}} 个应用。\n接下来打开笔记。", ToolCalls: calls(act("{{action:open app:notes|open app:notes}}"))},
		{Text: "摘要：打开了笔记，共 {{count}} 条，其中有 Groceries。\n我搜索番茄，看看已经有什么。", ToolCalls: calls(search("tomato"))},
		{Reasoning: "搜索结果里有购物清单和菜谱，先看清单。",
			Text: "摘要：搜索 tomato 得到 {{count}} 条结果，包括购物清单和番茄汤菜谱。\n我打开购物清单。", ToolCalls: calls(act("{{action:note:groceries|open note:groceries}}"))},
		{Text: "摘要：打开了 {{title}}，共 {{count}} 行，番茄已经在上面。\n还缺高汤，我加上。", ToolCalls: calls(act("append note:groceries 蔬菜高汤"))},
		{Summary: "摘要：在 {{title}} 里加了蔬菜高汤，现在共 {{count}} 行。", ToolCalls: calls(act("append note:groceries 淡奶油 200 毫升"))},
		{Text: "摘要：又加了淡奶油，{{title}} 现在共 {{count}} 行。\n我回到全部笔记，再看看有没有提到面包。", ToolCalls: calls(act("open app:notes"), search("bread"))},
		{Text: "摘要：回到笔记并搜索了 bread，得到 {{count}} 条结果。\n菜谱在文件里。", ToolCalls: calls(files("files.list", `{"path":"/Documents/recipes"}`))},
		{Text: "有一份番茄汤菜谱。我读一下，确认没有漏掉什么。", ToolCalls: calls(files("files.read", `{"path":"/Documents/recipes/tomato-soup.txt"}`))},
		{Text: "搜索 bread 得到 {{count}} 条结果，没有再缺的东西了。蔬菜高汤和淡奶油已加入购物清单，番茄原本就有。屏幕显示“{{title}}”，游标 {{cursor}}，可见 {{count}} 项。"},
	}
}

func demoRenameZH() []Step {
	return []Step{
		{Text: "我再次打开清单。", ToolCalls: calls(act("{{action:open note:groceries|open note:groceries}}"))},
		{Text: "摘要：再次打开了 {{title}}。\n现在改名。", ToolCalls: calls(act("rename note:groceries 周末采购"))},
		{Text: "摘要：清单现在叫 {{title}}。\n然后置顶。", ToolCalls: calls(act("{{action:pin note:groceries|pin note:groceries}}"))},
		{Text: "摘要：已将 {{title}} 置顶。\n完成：清单已改名为“{{title}}”，排在笔记最前。游标 {{cursor}}，可见 {{count}} 项。"},
	}
}
