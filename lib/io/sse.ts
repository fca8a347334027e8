// Parses server-sent events from bytes. A chunk may end anywhere, also inside a character or between the halves of a
// line break, so a line is only interpreted when it is complete. Uses string operations: a chain of transform streams
// costs twice as much.

export interface SseEvent {
  /** The `event:` line; empty if there is none. */
  readonly name: string;
  /** The `data:` lines, joined by line breaks. */
  readonly data: string;
}

export interface SseReader {
  /** Returns the events that this chunk completes. Throws SseOverflow if an event is too long. */
  push(chunk: Uint8Array): SseEvent[];
  /** Returns the event that the end of the stream completes, if an upstream omits the last blank line. */
  end(): SseEvent[];
}

/** An event grew beyond what any upstream sends and is no longer buffered. */
export class SseOverflow extends Error {
  constructor(maxEventChars: number) {
    super(`An event is longer than ${maxEventChars} characters.`);
  }
}

/** Enough for an image or a long tool call in base64; limits garbage without line breaks. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

export function createSseReader(maxEventChars: number = MAX_EVENT_CHARS): SseReader {
  const decoder = new TextDecoder('utf-8');
  /** The start of an incomplete line, in pieces: joining them at each push would copy it each time. */
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
    // The second half of a \r\n whose first half ended the previous chunk.
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
