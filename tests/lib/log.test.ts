import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../lib/domain/log';
import { createLog, divertConsole, type LogLevel } from '../../lib/log';
import { recordLog } from '../support/log';

function write(level: LogLevel, run: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  run(createLog(level, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const everyField: Required<LogFields> = {
  requestId: 'req_1',
  orgId: 'org_1',
  keyId: 'key_1',
  videoId: 'video_1',
  deliveryId: 'msg_1',
  alertId: 'alert_1',
  jobId: 'job_1',
  queue: 'video.start',
  chore: 'expired files',
  migration: '0001_name',
  provider: 'acme',
  model: 'acme-t2v',
  route: 'POST /v1/videos',
  method: 'POST',
  status: 503,
  code: 'overloaded',
  attempt: 2,
  ms: 17,
  bytes: 4_096,
  count: 3,
  costNanoUsd: '500000000',
  processes: 2,
  connections: 20,
  maxConnections: 97,
  host: '127.0.0.1',
  port: 3000,
  reason: 'models[0].price is missing.',
  solution: 'Set ACME_API_KEY.',
  part: 'queue',
  error: 'Error | at here',
};

describe('a line for a trace', () => {
  it('has its id, and others have none', () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const lines: string[] = [];
    const traceIdOf = ({ requestId }: LogFields) => (requestId === 'req_1' ? trace : undefined);
    const log = createLog('info', { write: (line) => void lines.push(line) }, traceIdOf);
    log.info('one', { requestId: 'req_1' });
    log.info('two', { requestId: 'req_2' });
    log.info('three');
    expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toMatchObject([
      { msg: 'one', requestId: 'req_1', trace_id: trace },
      { msg: 'two', requestId: 'req_2' },
      { msg: 'three' },
    ]);
    expect(lines.slice(1).join()).not.toContain('trace_id');
  });
});

describe('createLog', () => {
  it('writes one JSON line per event: time, level, message and the listed fields', () => {
    const [line] = write('info', (log) => log.warn('upstream answered late', everyField));
    expect(line).toEqual({
      ...everyField,
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      msg: 'upstream answered late',
    });
  });

  it('omits everything that is not in the list, at any depth', () => {
    const canary = 'canary-4711';
    const hostile = Object.assign(Object.create({ inherited: canary }) as object, {
      prompt: canary,
      key: canary,
      authorization: canary,
      url: `https://example.com/?token=${canary}`,
      err: new Error(canary),
      req: { headers: { authorization: canary } },
      res: canary,
      msg: canary,
      level: canary,
      time: canary,
      status: 200,
    });
    const lines = write('debug', (log) => {
      for (const at of ['debug', 'info', 'warn', 'error'] as const) log[at]('a message', hostile);
    });
    expect(JSON.stringify(lines)).not.toContain(canary);
    expect(lines.map(({ level, msg, status }) => [level, msg, status])).toEqual(
      ['debug', 'info', 'warn', 'error'].map((level) => [level, 'a message', 200]),
    );
  });

  it('replaces no placeholder of the message, which is static', () => {
    const [line] = write('info', (log) => log.info('100 %s %o %d', { code: 'canary' }));
    expect(line?.msg).toBe('100 %s %o %d');
  });

  it('omits fields without a value', () => {
    const [line] = write('info', (log) => log.info('a message', { ...(JSON.parse('{}') as LogFields), status: 0 }));
    expect(Object.keys(line ?? {}).toSorted()).toEqual(['level', 'msg', 'status', 'time']);
  });

  it.each<[LogLevel, string[]]>([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('at level %s writes %j', (level, expected) => {
    const lines = write(level, (log) => {
      for (const at of ['debug', 'info', 'warn', 'error'] as const) log[at]('a message');
    });
    expect(lines.map((line) => line.level)).toEqual(expected);
  });

  it.each([
    ['that ends by itself', ''],
    ['that ends in the same turn', 'process.exit(0);'],
    ['that fails in the same turn', 'throw new Error("on purpose");'],
  ])('on standard output, every line of a process %s is written, in order', (_what, end) => {
    // At the end the only thread of the pool is busy, as on a busy machine: Node would cancel a write in the
    // background.
    const script = `process.once('exit', () => require('node:crypto').pbkdf2('a', 'b', 300_000, 32, 'sha256', () => {}));
      const { createLog } = require('./lib/log'); const log = createLog('info');
      log.info('one'); log.warn('two', { count: 2 }); ${end}`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    });
    expect(stdout, stderr).not.toBe('');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg, count }) => [msg, count])).toEqual([
      ['one', undefined],
      ['two', 2],
    ]);
  });

  it('on standard output, the lines of a process are written while it runs', async () => {
    const script = `const { createLog } = require('./lib/log'); const log = createLog('info');
      log.info('one'); log.info('two'); setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let text = '';
      for await (const part of child.stdout) {
        text += String(part);
        if (text.split('\n').length > 2) break;
      }
      expect(text.match(/"msg":"\w+"/g)).toEqual(['"msg":"one"', '"msg":"two"']);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('a full standard output that nothing reads does not block the process', async () => {
    const script = `const { createLog } = require('./lib/log'); const log = createLog('info');
      for (let line = 0; line < 4000; line += 1) log.info('a line that is not read', { error: 'x'.repeat(200) });
      setTimeout(() => process.send('alive'), 300);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    try {
      const [said] = await once(child, 'message');
      expect(said).toBe('alive');
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('divertConsole', () => {
  const fakeConsole = () =>
    ({ debug() {}, error() {}, info() {}, log() {}, trace() {}, warn() {} }) as unknown as Console;

  it('writes fixed words, one line each, and of an error its class and frames', () => {
    const log = recordLog();
    const target = fakeConsole();
    divertConsole(log, target);
    target.error('canary\n{"level":"info"}', new TypeError('canary'), { url: '/canary' });
    target.warn('canary');
    target.log('canary');
    target.info('canary');
    expect(log.lines.map(({ level }) => level)).toEqual(['error', 'warn']);
    expect(JSON.stringify(log.lines)).not.toContain('canary');
    expect(JSON.stringify(log.lines)).toContain('TypeError | at ');
    expect(JSON.stringify(log.lines)).not.toContain('\\n');
  });

  it('logs nothing about clients that disconnect', () => {
    const log = recordLog();
    const target = fakeConsole();
    divertConsole(log, target);
    target.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    target.error('failed to pipe response', Object.assign(new Error('x'), { name: 'ResponseAborted' }));
    expect(log.lines).toEqual([]);
  });

  it('writes at most 20 lines a minute', () => {
    const log = recordLog();
    const target = fakeConsole();
    divertConsole(log, target);
    for (let line = 0; line < 1_000; line += 1) target.error('canary');
    expect(log.lines).toHaveLength(20);
  });
});
