// A small window that gives the file named on its command line away by drag and drop, as a file manager does. It ends
// when the file was taken or given up, and says which on standard output.
#include <gtk/gtk.h>
#include <stdio.h>

static char *uri;

static void give(GtkWidget *widget, GdkDragContext *context, GtkSelectionData *data, guint info, guint time, gpointer user)
{
	char *uris[] = { uri, NULL };

	gtk_selection_data_set_uris(data, uris);
}

static void ended(GtkWidget *widget, GdkDragContext *context, gpointer user)
{
	gtk_main_quit();
}

int main(int argc, char **argv)
{
	GtkWidget *window, *box;

	gtk_init(&argc, &argv);
	uri = g_filename_to_uri(argv[1], NULL, NULL);
	window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_title(GTK_WINDOW(window), "drag source");
	gtk_window_set_default_size(GTK_WINDOW(window), 200, 200);
	gtk_window_move(GTK_WINDOW(window), atoi(argv[2]), atoi(argv[3]));
	box = gtk_event_box_new();
	gtk_container_add(GTK_CONTAINER(window), box);
	gtk_drag_source_set(box, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
	gtk_drag_source_add_uri_targets(box);
	g_signal_connect(box, "drag-data-get", G_CALLBACK(give), NULL);
	g_signal_connect(box, "drag-end", G_CALLBACK(ended), NULL);
	gtk_widget_show_all(window);
	gtk_main();
	return 0;
}
