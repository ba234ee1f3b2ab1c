// Rows of a text that is read page by page: each page costs its own size, however long the text is by then.
import { PrettyText } from './pretty';
import { extendRows, type TextRow } from './wrap';

/** Rows of one text in one form and width. Give it the text again when it grew; another text needs another one. */
export class LongRows {
  private rows: TextRow[] = [];
  private length = 0;
  private shown = '';
  private readonly pretty: PrettyText | null;

  constructor(private readonly columns: number, pretty: boolean) {
    this.pretty = pretty ? new PrettyText() : null;
  }

  read(text: string): { shown: string; rows: TextRow[] } {
    if (text.length !== this.length || this.rows.length === 0) {
      const got = this.pretty?.read(text) ?? { text, same: this.length };
      this.rows = extendRows(this.rows, got.text, this.columns, got.same);
      [this.shown, this.length] = [got.text, text.length];
    }
    return { shown: this.shown, rows: this.rows };
  }
}
