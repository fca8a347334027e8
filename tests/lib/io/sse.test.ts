import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseReader, SseOverflow, type SseEvent } from '../../../lib/io/sse';

function readAll(chunks: readonly Uint8Array[]): SseEvent[] {
  const reader = createSseReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

const stream = [
  ': a comment\n',
  'event: message_start\ndata: {"text":"größer 😀"}\n\n',
  'event: ping\r\ndata: {"type": "ping"}\r\n\r\n',
  'data:first\ndata: second\n\n',
  'id: 7\nretry: 10\ndata\n\n',
  '\n\ndata: {"last":true}   }\r\r',
  'data: without a blank line',
].join('');

const events: SseEvent[] = [
  { name: 'message_start', data: '{"text":"größer 😀"}' },
  { name: 'ping', data: '{"type": "ping"}' },
  { name: '', data: 'first\nsecond' },
  { name: '', data: '' },
  { name: '', data: '{"last":true}   }' },
  { name: '', data: 'without a blank line' },
];

describe('createSseReader', () => {
  it('reads all line ends, comments, several data lines and an event without a last blank line', () => {
    expect(readAll([Buffer.from(stream)])).toEqual(events);
  });

  it('gives the same events wherever the bytes are cut in two', () => {
    const bytes = Buffer.from(stream);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(events);
  });

  it('gives the same events however the bytes are cut, byte by byte too', () => {
    const bytes = Buffer.from(stream);
    expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(readAll(edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge)))).toEqual(events);
      }),
    );
  });

  it('rejects an event that does not end', () => {
    const reader = createSseReader(1_000);
    expect(() => {
      for (let i = 0; i < 20; i++) reader.push(Buffer.from('data: '.padEnd(100, 'x')));
    }).toThrow(SseOverflow);
  });

  it('reads a two-megabyte event that comes in small chunks', () => {
    const bytes = Buffer.from(`data: ${'y'.repeat(2_000_000)}\n\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, index) =>
      bytes.subarray(index * 1_000, (index + 1) * 1_000),
    );
    expect(readAll(chunks)[0]?.data).toHaveLength(2_000_000);
  });
});
