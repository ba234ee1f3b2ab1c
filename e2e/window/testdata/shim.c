// Preloaded into the program under test, so that WebKitWebDriver can drive the unmodified binary: the one web view that
// the program makes is created for automation and handed to the session that asks for it.
#include <webkit2/webkit2.h>

static WebKitWebView *the_view;

static WebKitWebView *give_view(WebKitAutomationSession *session, gpointer data)
{
	return the_view;
}

static void session_started(WebKitWebContext *context, WebKitAutomationSession *session, gpointer data)
{
	g_signal_connect(session, "create-web-view", G_CALLBACK(give_view), NULL);
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager)
{
	WebKitWebContext *context = webkit_web_context_get_default();

	webkit_web_context_set_automation_allowed(context, TRUE);
	g_signal_connect(context, "automation-started", G_CALLBACK(session_started), NULL);
	the_view = g_object_new(WEBKIT_TYPE_WEB_VIEW, "user-content-manager", manager,
		"is-controlled-by-automation", TRUE, NULL);
	return GTK_WIDGET(the_view);
}
