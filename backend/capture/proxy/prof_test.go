package proxy
import ("testing";"strings";"net/http";"net/http/httptest";"io";"context";"zimoscope/backend/capture/exchange")
type nowhere struct{}
func (nowhere) Take(context.Context, exchange.Exchange) error { return nil }
func BenchmarkReq(b *testing.B) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request){ io.Copy(io.Discard,r.Body); io.WriteString(w,"{}")}))
	defer up.Close()
	p,_ := New(Options{Upstream: up.URL, Sink: nowhere{}})
	p.Listen()
	ctx, c := context.WithCancel(context.Background())
	done := make(chan error)
	go func(){ done <- p.Serve(ctx)}()
	body := `{"messages":[{"role":"user","content":"` + strings.Repeat("x", 50<<10) + `"}]}`
	for _, u := range []string{up.URL, p.URL()} {
	b.Run(u, func(b *testing.B){ b.ReportAllocs(); for i:=0;i<b.N;i++ {
		r,err := http.Post(u+"/v1/chat/completions","application/json",strings.NewReader(body)); if err!=nil {b.Fatal(err)}
		io.Copy(io.Discard,r.Body); r.Body.Close()
	}})}
	http.DefaultClient.CloseIdleConnections()
	c(); <-done
}
