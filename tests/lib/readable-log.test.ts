import { describe, expect, it } from 'vitest';
import { createLog } from '../../lib/log';
import { readableLine, readableOutput } from '../../lib/readable-log';

function write(
  run: (log: ReturnType<typeof createLog>) => void,
  terminal: { isTTY?: boolean; colours?: boolean } = {},
) {
  const written: string[] = [];
  const output = {
    write: (text: string | Uint8Array) => written.push(String(text)) > 0,
    isTTY: terminal.isTTY ?? false,
    hasColors: () => terminal.colours ?? true,
  };
  run(createLog('debug', readableOutput(output)));
  return written;
}

describe('readableOutput', () => {
  it('writes time, level, message and fields of an event as one line', () => {
    const lines = write((log) => {
      log.warn('upstream answered late', { provider: 'acme', ms: 17, route: 'POST /v1/videos', code: '' });
      log.info('listening');
    });
    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3} /, ''))).toEqual([
      'WARN  upstream answered late  provider=acme ms=17 route="POST /v1/videos" code=""\n',
      'INFO  listening\n',
    ]);
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} /);
  });

  it('writes an error with several lines below its event, and one of a single line after the fields', () => {
    const [long, short] = write((log) => {
      log.error('a request failed', { status: 500, error: 'TypeError: no\n    at here\nCaused by: Error: why' });
      log.error('a request failed', { status: 500, error: 'TypeError | at here' });
    });
    expect(long?.split('\n').slice(1)).toEqual([
      '    TypeError: no',
      '        at here',
      '    Caused by: Error: why',
      '',
    ]);
    expect(long?.split('\n')[0]).toMatch(/ERROR a request failed {2}status=500$/);
    expect(short).toMatch(/status=500 error="TypeError \| at here"\n$/);
  });

  it('uses colours on a terminal that supports them, and nowhere else', () => {
    const say = (log: ReturnType<typeof createLog>) => log.error('no', { status: 500 });
    expect(write(say, { isTTY: true }).join('')).toContain('\u001b[31mERROR\u001b[39m no');
    expect(write(say, { isTTY: true, colours: false }).join('')).not.toContain('\u001b');
    expect(write(say).join('')).not.toContain('\u001b');
  });
});

describe('readableLine', () => {
  it.each(['not JSON\n', '"a text"\n', '12\n'])('leaves %j as it is', (line) => {
    expect(readableLine(line, true)).toBe(line);
  });
});
