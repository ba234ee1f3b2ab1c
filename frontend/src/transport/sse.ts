// Server-sent events by hand: EventSource can't send the token's header.

/** Splits a stream of text into the data of its events. Feed it chunks as they come; comments and other fields are skipped. */
export class SseParser {
  private rest = '';
  private data: string[] = [];

  feed(chunk: string): string[] {
    const out: string[] = [];
    this.rest += chunk;
    for (;;) {
      const at = this.rest.search(/\r\n|\n|\r(?=[^\n])/);
      if (at < 0) return out;
      const line = this.rest.slice(0, at);
      this.rest = this.rest.slice(at + (this.rest[at] === '\r' && this.rest[at + 1] === '\n' ? 2 : 1));
      if (line === '') {
        if (this.data.length > 0) out.push(this.data.join('\n'));
        this.data = [];
      } else if (line.startsWith('data:')) {
        this.data.push(line.slice(line[5] === ' ' ? 6 : 5));
      }
    }
  }
}
