package serve

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// hashed is the folder whose file names change with their content; all else must be asked for anew each time.
const hashed = "assets/"

// contentTypes are of what the front end is built from. They are fixed here, because the system's own table may lack
// or change them, and nosniff makes a wrong one fatal.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
	".woff2": "font/woff2", ".woff": "font/woff", ".map": "application/json", ".txt": "text/plain; charset=utf-8",
}

const notBuilt = `<!doctype html><meta charset="utf-8"><title>ZimoScope</title>
<p>The front end was not built into this program. Run <code>make build</code> and start it again.</p>
<p>这个程序里没有前端文件。请运行 <code>make build</code> 后重新启动。</p>
`

// asset serves one file of the front end. Folders are not listed, and unknown names don't fall back to the page.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		fail(w, http.StatusMethodNotAllowed, "Files can only be read.")
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	data, err := s.readAsset(name)
	if err != nil {
		s.noAsset(w, name)
		return
	}
	kind, ok := contentTypes[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	if strings.HasPrefix(name, hashed) {
		w.Header().Set("Cache-Control", "max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// readAsset leaves out hidden files, such as the one that keeps the folder in a clean checkout.
func (s *Server) readAsset(name string) ([]byte, error) {
	if strings.HasPrefix(path.Base(name), ".") {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(s.assets, name)
}

func (s *Server) noAsset(w http.ResponseWriter, name string) {
	if name != "index.html" {
		fail(w, http.StatusNotFound, "There is no such file.")
		return
	}
	w.Header().Set("Content-Type", contentTypes[".html"])
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte(notBuilt))
}
