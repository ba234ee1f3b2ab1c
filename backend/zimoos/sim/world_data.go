package sim

import (
	"fmt"
	"math/rand/v2"
)

// worldStream keeps the numbers drawn for the contents apart from any other
// use that a seed may find.
const worldStream = 0x7a696d6f

// newWorld invents the contents. What the demos rely on (ids, titles, the
// first lines) is the same for every seed; quantities, prices and one or two
// rows differ.
func newWorld(seed int64) *world {
	r := rand.New(rand.NewPCG(uint64(seed), worldStream))
	return &world{
		notes:    seedNotes(r),
		mails:    seedMails(r),
		files:    seedFiles(r),
		settings: seedSettings(r),
		notices:  []Notification{},
		coming:   seedArrivals(r),
	}
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func seedNotes(r *rand.Rand) []*note {
	return []*note{
		{id: "groceries", title: "Groceries", lines: []string{
			fmt.Sprintf("%d eggs", 6+r.IntN(7)),
			"Sourdough bread",
			fmt.Sprintf("Tomatoes, %d g", 250+50*r.IntN(8)),
			pick(r, "Coffee beans, dark", "Coffee beans, light", "Green tea"),
			"Washing powder",
		}},
		{id: "bike-service", title: "Bike service", lines: []string{
			fmt.Sprintf("Booked at Velo Nord, about %d EUR", 60+5*r.IntN(9)),
			"New brake pads in front",
			fmt.Sprintf("Chain has %d km on it", 2400+100*r.IntN(15)),
			"Ask about the noise in the bottom bracket",
		}},
		{id: "reading", title: "Reading list", lines: []string{
			"The Peregrine, J. A. Baker",
			"Invisible Cities, Italo Calvino",
			pick(r, "A Field Guide to Getting Lost", "The Summer Book", "Austerlitz"),
		}},
		{id: "weekly", title: "周三例会", lines: []string{
			"上周的行动项：先过一遍",
			fmt.Sprintf("预算还剩 %d 元", 8000+250*r.IntN(20)),
			"下次会议改到十点半",
		}},
		{id: "balcony", title: "Balcony plants", lines: []string{
			"Basil: water every second day",
			fmt.Sprintf("Tomato plant: %d flowers so far", 3+r.IntN(9)),
			"Turn the pots on Sundays",
		}},
		{id: "gifts", title: "Gift ideas", lines: []string{
			"Anna: a bicycle bell that is not too loud",
			pick(r, "Father: a map of the old harbour", "Father: a good torch", "Father: lessons in bread"),
		}},
	}
}

func seedMails(r *rand.Rand) []*mail {
	return []*mail{
		{id: "m1", from: "Velo Nord", subject: "Your appointment on Friday", body: fmt.Sprintf(
			"Hello,\nyour bicycle is due at %d:30 on Friday. Please bring the key of the lock.\nVelo Nord", 8+r.IntN(3))},
		{id: "m2", from: "Anna Berg", subject: "Saturday?", body: pick(r,
			"Shall we cook on Saturday? I would bring dessert.\nAnna",
			"Market first on Saturday, then soup at yours?\nAnna")},
		{id: "m3", from: "City Library", subject: "Two books are due", read: true, body: fmt.Sprintf(
			"Two of your books are due in %d days. You can renew them once.", 2+r.IntN(5))},
		{id: "m4", from: "Housing office", subject: "Water is off on Tuesday", read: true, body: "On Tuesday from 9 to 12 the water in the house is off. Fill a <large> pot & a kettle before."},
	}
}

func seedFiles(r *rand.Rand) []*file {
	return []*file{
		{path: "/", folder: true},
		{path: "/Documents", folder: true},
		{path: "/Documents/rent.txt", text: fmt.Sprintf("Rent: %d EUR, due on the third of the month.", 640+10*r.IntN(20))},
		{path: "/Documents/recipes", folder: true},
		{path: "/Documents/recipes/tomato-soup.txt", text: "Roast the tomatoes, add stock, a little cream at the end."},
		{path: "/Documents/recipes/bread.txt", text: fmt.Sprintf("500 g flour, %d g water, 10 g salt, time.", 340+5*r.IntN(8))},
		{path: "/Pictures", folder: true},
		{path: "/Pictures/harbour.jpg", text: "(a picture: the old harbour in fog, 4032 x 3024)"},
		{path: "/readme.txt", text: "This machine is a simulation. Nothing here is real."},
	}
}

func seedSettings(r *rand.Rand) []*setting {
	return []*setting{
		{id: "wifi", title: "Wi-Fi", about: "Network: " + pick(r, "Attic", "Lighthouse", "Kitchen table"), on: true},
		{id: "bluetooth", title: "Bluetooth", about: "No device is connected", on: r.IntN(2) == 0},
		{id: "dark-mode", title: "Dark mode", about: "Follows nothing; by hand only", on: false},
		{id: "do-not-disturb", title: "Do not disturb", about: "Keeps notifications silent", on: false},
		{id: "location", title: "Location", about: "Apps may ask where this machine is", on: r.IntN(2) == 0},
	}
}

func seedArrivals(r *rand.Rand) []arrival {
	return []arrival{
		{after: 3, notice: notice("n1", "mail", "Mail from Anna Berg: Bring bread?", "normal"),
			mail: &mail{id: "m5", from: "Anna Berg", subject: "Bring bread?", body: "Could you bring bread on Saturday? The dark one.\nAnna"}},
		{after: 6, notice: notice("n2", "settings", fmt.Sprintf("Battery at %d %%", 15+r.IntN(10)), "high")},
		{after: 10, notice: notice("n3", "notes", "Reminder: turn the pots on the balcony", "low")},
		{after: 16, notice: notice("n4", "mail", "Mail from City Library: Renewed", "low"),
			mail: &mail{id: "m6", from: "City Library", subject: "Renewed", body: "Your books are renewed for four weeks."}},
	}
}

func notice(id, app, summary, priority string) Notification {
	return Notification{
		ID: id, AppInstanceID: instanceOf(app), AppID: "app:" + app,
		Summary: summary, Priority: priority, Status: noticeUnread,
	}
}
