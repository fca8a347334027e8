import { describe, expect, it } from 'vitest';
import { logFailure, refusalOf } from '../../../lib/audio/session-errors';
import { upstreamFailed } from '../../../lib/domain/errors';
import { recordLog } from '../../support/log';

const refusedConnection = () =>
  new Error('Failed query', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });

describe('an error of a session', () => {
  it('that is an unavailable database says when to try again, as over HTTP', () => {
    const { error, code, closeCode, text } = refusalOf(refusedConnection());
    expect([error.code, code, closeCode]).toEqual(['database_unavailable', 503, 1013]);
    expect(text).not.toContain('connect');
  });

  it('that is unexpected reveals nothing', () => {
    const { code, closeCode, text } = refusalOf(new Error('column "secret" does not exist'));
    expect([code, closeCode]).toEqual([500, 1011]);
    expect(text).not.toContain('secret');
  });

  it('is logged as an error only if it is ours', () => {
    const levelOf = (thrown: unknown) => {
      const log = recordLog();
      logFailure(log, thrown, { requestId: 'req_1' });
      return log.lines.map(({ level }) => level);
    };
    expect(levelOf(new Error('a mistake'))).toEqual(['error']);
    expect(levelOf(refusedConnection())).toEqual(['warn']);
    expect(levelOf(upstreamFailed({ retry: 'later', started: 'no' }, 'socket closed'))).toEqual(['warn']);
  });
});
