package lab

import "zimoscope/backend/requestview/cachemodel"

// OwnClass tells from the shape of usage reports which class their sender follows; "" when none was reported.
func OwnClass(list []Request) string {
	own := ""
	for _, q := range list {
		switch u := q.Usage; {
		case !u.Reported:
		case u.Shape == cachemodel.ShapeAnthropic, u.Shape == cachemodel.ShapeLiteLLM && u.Written > 0:
			return cachemodel.NameAnthropic
		case u.Shape == cachemodel.ShapeDeepSeek:
			return cachemodel.NameDeepSeek
		case u.Shape == cachemodel.ShapeLlama:
			return cachemodel.Token().Name
		case u.Written > 0:
			return cachemodel.NameOpenAIMarks
		default:
			own = cachemodel.MinimumStep().Name
		}
	}
	return own
}
