// Server-sent events out of bytes. An upstream read may end anywhere, also inside a character or between the two halves of
// a line break, so nothing is decided before its line is whole. Read with string operations: a chain of transform streams
// costs twice as much.

export interface SseEvent {
  /** Of the `event:` line; empty when there is none. */
  readonly name: string;
  /** The `data:` lines, joined by line breaks. */
  readonly data: string;
}

export interface SseReader {
  /** The events that this chunk completes. Throws SseOverflow when one event does not end. */
  push(chunk: Uint8Array): SseEvent[];
  /** The event that the end of the stream completes, where an upstream leaves out the last blank line. */
  end(): SseEvent[];
}

/** An event grew beyond what any upstream sends: it is not kept in memory any longer. */
export class SseOverflow extends Error {
  constructor(maxEventChars: number) {
    super(`An event is longer than ${maxEventChars} characters.`);
  }
}

/** Holds a whole picture or a long tool call in base64; a stream of garbage without line breaks ends here. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

export function createSseReader(maxEventChars: number = MAX_EVENT_CHARS): SseReader {
  const decoder = new TextDecoder('utf-8');
  /** The beginning of a line whose end has not come, in pieces: joining at each push would copy it each time. */
  let pieces: string[] = [];
  let name = '';
  let data: string[] = [];
  let chars = 0;
  let endedInReturn = false;

  function takeLine(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (data.length > 0) events.push({ name, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') });
      name = '';
      data = [];
      chars = 0;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
  }

  function takeText(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let from = 0;
    // The second half of a \r\n whose first half ended the last chunk.
    if (endedInReturn && text.charCodeAt(0) === 10) from = 1;
    if (text !== '') endedInReturn = text.charCodeAt(text.length - 1) === 13;
    const hasReturns = text.includes('\r', from);
    for (;;) {
      let end = text.indexOf('\n', from);
      let next = end + 1;
      if (hasReturns) {
        const lone = text.indexOf('\r', from);
        if (lone !== -1 && (end === -1 || lone < end)) {
          end = lone;
          next = text.charCodeAt(lone + 1) === 10 ? lone + 2 : lone + 1;
        }
      }
      const part = end === -1 ? text.slice(from) : text.slice(from, end);
      chars += part.length;
      if (chars > maxEventChars) throw new SseOverflow(maxEventChars);
      if (end === -1) {
        if (part !== '') pieces.push(part);
        return events;
      }
      if (pieces.length === 0) takeLine(part, events);
      else {
        pieces.push(part);
        const line = pieces.join('');
        pieces = [];
        takeLine(line, events);
      }
      from = next;
    }
  }

  return {
    push: (chunk) => takeText(decoder.decode(chunk, { stream: true })),
    end() {
      const events = takeText(decoder.decode());
      const line = pieces.join('');
      pieces = [];
      if (line !== '') takeLine(line, events);
      takeLine('', events);
      return events;
    },
  };
}
