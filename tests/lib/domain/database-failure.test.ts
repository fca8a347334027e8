import { describe, expect, it } from 'vitest';
import { asGatewayError, isRefusedValue } from '../../../lib/domain/database-failure';

const failure = (code: string) =>
  new Error('Failed query', { cause: Object.assign(new Error('as Postgres words it'), { code }) });

describe('a failure of the database', () => {
  it.each([
    ['57014', 'a statement that took too long'],
    ['55P03', 'a lock that was waited for too long'],
    ['25P03', 'a transaction that was idle for too long'],
    ['53100', 'a full disk'],
    ['53200', 'out of memory'],
    ['53300', 'too many connections'],
    ['40P01', 'a deadlock'],
    ['40001', 'a serialization failure'],
    ['08006', 'a lost connection'],
    ['58030', 'a file that cannot be read'],
  ])('%s (%s) is 503 database_unavailable', (code) => {
    expect(asGatewayError(failure(code)).code).toBe('database_unavailable');
  });

  it.each(['22P02', '22P05', '22003', '54000'])('%s is a value that the database refuses', (code) => {
    expect(isRefusedValue(failure(code))).toBe(true);
  });

  it.each(['57014', '53300', '23505'])('%s says nothing about a value', (code) => {
    expect(isRefusedValue(failure(code))).toBe(false);
  });

  it.each(['23505', '23514', '42P01'])('%s is an internal error', (code) => {
    expect(asGatewayError(failure(code)).code).toBe('internal_error');
  });
});
