// Package browser runs the window in Chromium: the built program in serve, driven by the Playwright suite of this folder.
// It is built with -tags browser and run by make test-browser, which make test includes; it skips by name where the front
// end's modules or a browser are missing.
package browser
