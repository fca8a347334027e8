import { isAscii } from 'node:buffer';
import { upstreamFailed } from '../../../domain/errors';
import { isObject, type Fields } from '../../../domain/json';
import type { MessageEvent } from '../../../domain/messages';
import type { AnswerDecoder, DecodedChunk } from '../../kit/messages/message-stream';
import { asDelta, refusalOfEvent } from './event-normalizer';

// Decodes a stream of the vendor that is passed on in the vendor's own bytes: inspects it for billing and for its
// proper end. Nearly every event is a few letters of text; it is recognised by its first bytes and measured without
// parsing. Everything else is parsed. Only complete events are passed on, so that an error event or a ping can follow
// them. A stream that breaks off before its stop reason is never completed artificially.

const LF = 10;
const CR = 13;
/** As in `sse.ts`: no event is longer. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n');
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":';
const TEXTS = [
  ',"delta":{"type":"text_delta","text":"',
  ',"delta":{"type":"thinking_delta","thinking":"',
  ',"delta":{"type":"input_json_delta","partial_json":"',
];

const none: readonly MessageEvent[] = [];

export function createStreamInspector(): AnswerDecoder {
  /** The start of an incomplete event, in pieces: joining them at each push would copy it each time. */
  let pieces: Buffer[] = [];
  let waiting = 0;
  let hasStarted = false;
  let isComplete = false;
  let isEnded = false;

  function scan(bytes: Buffer): DecodedChunk {
    const text = bytes.toString('latin1');
    const isPlain = isAscii(bytes);
    let events = none as MessageEvent[];
    let letters = 0;
    let isProgress = false;
    let from = 0;
    const passed = (end: number, failure?: unknown): DecodedChunk => {
      const whole = end === bytes.length ? bytes : bytes.subarray(0, end);
      return failure === undefined
        ? { bytes: whole, events, letters, isProgress }
        : { bytes: whole, events, letters, isProgress, failure };
    };
    while (from < text.length) {
      const end = text.indexOf('\n\n', from);
      // A blank line more than an event needs: it ends nothing.
      if (end === -1) break;
      const plain = hasStarted && isPlain ? plainLetters(text, from, end) : -1;
      if (plain >= 0) {
        letters += plain;
        isProgress = true;
        from = end + 2;
        continue;
      }
      let event: Fields | undefined;
      try {
        event = parseEvent(isPlain ? text.slice(from, end) : bytes.toString('utf8', from, end));
      } catch (failure) {
        return passed(from, failure);
      }
      if (event && event.type !== 'ping') {
        const failure = checkEvent(event);
        if (failure !== undefined) return passed(from, failure);
        if (events === none) events = [];
        // Safe: checked as far as the gateway relies on it; an unlisted type may have any fields.
        events.push(event as unknown as MessageEvent);
        isProgress = true;
      }
      from = end + 2;
      if (isEnded) return passed(from);
    }
    return passed(from);
  }

  /** Returns the error of an event at this position, or undefined. Records the progress of the answer. */
  function checkEvent(event: Fields): unknown {
    const { type } = event;
    if (type === 'error' || (type === undefined && event.error !== undefined)) return refusalOfEvent(event);
    if (type === 'message_start') {
      if (hasStarted || !isMessage(event.message)) return broken('A message_start is invalid or repeated.');
      hasStarted = true;
      isComplete = typeof event.message.stop_reason === 'string';
      return undefined;
    }
    if (!hasStarted) return broken('The stream has no message_start event.');
    if (type === 'message_delta') {
      if (!isObject(event.delta) || !isObject(event.usage)) return broken('The end of the stream has no usage.');
      if (typeof event.delta.stop_reason === 'string') isComplete = true;
    } else if (type === 'content_block_start') {
      if (!isObject(event.content_block)) return broken('The start event of a block has no content block.');
    } else if (type === 'content_block_delta') {
      if (!isObject(event.delta) || !asDelta(event.delta)) return broken('A delta of a block is empty.');
    } else if (type === 'message_stop') {
      if (!isComplete) return broken('The stream ended before its stop reason.');
      isEnded = true;
    }
    return undefined;
  }

  function take(chunk: Buffer, isEnd: boolean): DecodedChunk | undefined {
    const joined = waiting === 0 ? chunk : Buffer.concat([...pieces, chunk]);
    const whole = joined.includes(CR) ? withoutReturns(joined, isEnd) : joined;
    const boundary = isEnd ? whole.length : whole.lastIndexOf('\n\n') + 2;
    const hasEvents = isEnd ? whole.length > 0 : boundary > 1;
    const rest = hasEvents ? whole.subarray(boundary) : whole;
    pieces = rest.length === 0 ? [] : [rest];
    waiting = rest.length;
    if (hasEvents) return scan(whole.subarray(0, boundary));
    return waiting > MAX_EVENT_BYTES ? tooLong() : undefined;
  }

  return {
    push(chunk) {
      if (isEnded) return undefined;
      if (waiting === 0 && hasStarted) {
        const letters = lettersOfText(chunk);
        if (letters >= 0) return { bytes: chunk, events: none, letters, isProgress: true };
      }
      // Most chunks of a long event complete nothing and are not scanned twice.
      if (waiting > 0 && !chunk.includes(LF) && !chunk.includes(CR)) {
        pieces.push(chunk);
        waiting += chunk.length;
        return waiting > MAX_EVENT_BYTES ? tooLong() : undefined;
      }
      return take(chunk, false);
    },
    flush() {
      if (isEnded || waiting === 0) return undefined;
      return take(Buffer.from('\n\n'), true);
    },
    finish() {
      if (!isComplete) throw broken('The stream ended before its stop reason.');
      isEnded = true;
      return { bytes: STOP_EVENT, events: [{ type: 'message_stop' }], letters: 0 };
    },
    get isComplete() {
      return isComplete;
    },
    get isEnded() {
      return isEnded;
    },
  };
}

function tooLong(): DecodedChunk {
  const failure = upstreamFailed(
    { retry: 'elsewhere', started: 'maybe' },
    `An event is longer than ${MAX_EVENT_BYTES} bytes.`,
  );
  return { bytes: Buffer.alloc(0), events: none, letters: 0, isProgress: false, failure };
}

/**
 * Returns the number of letters if the chunk consists of complete plain-text events, as nearly every chunk does; -1 if
 * it must be inspected.
 */
function lettersOfText(chunk: Buffer): number {
  const text = chunk.toString('latin1');
  if (!text.endsWith('\n\n') || text.includes('\r') || !isAscii(chunk)) return -1;
  let letters = 0;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n\n', from);
    const plain = plainLetters(text, from, end);
    if (plain < 0) return -1;
    letters += plain;
    from = end + 2;
  }
  return letters;
}

/** Returns the number of letters of the event between `from` and `end` if it is plain text, -1 if it must be parsed. */
function plainLetters(text: string, from: number, end: number): number {
  if (!text.startsWith(DELTA, from)) return -1;
  const comma = text.indexOf(',', from + DELTA.length);
  for (const opening of TEXTS) {
    if (!text.startsWith(opening, comma)) continue;
    const start = comma + opening.length;
    const close = text.indexOf('"', start);
    const behind = text.charCodeAt(close + 1);
    if (close === -1 || close > end || (behind !== 0x7d && behind !== 0x20)) return -1;
    return text.slice(start, close).includes('\\') ? -1 : close - start;
  }
  return -1;
}

/** Returns the JSON value of one event; undefined for a comment, an empty event and the end mark of another dialect. */
function parseEvent(event: string): Fields | undefined {
  let data = '';
  for (const line of event.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
    data = data === '' ? value : `${data}\n${value}`;
  }
  if (data === '' || data === '[DONE]') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw broken('An event is not JSON.');
  }
  if (!isObject(value)) throw broken('An event is not an object.');
  return value;
}

/** Normalizes CR and CRLF to LF; a CR at the end may be the first half of a CRLF. */
function withoutReturns(bytes: Buffer, isEnd: boolean): Buffer {
  const text = bytes.toString('latin1');
  const isHalf = !isEnd && text.endsWith('\r');
  const mended = (isHalf ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n');
  return Buffer.from(isHalf ? `${mended}\r` : mended, 'latin1');
}

function isMessage(value: unknown): value is Fields {
  return isObject(value) && Array.isArray(value.content) && isObject(value.usage);
}

function broken(detail: string): Error {
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail);
}
