import { describe, expect, it } from 'vitest';
import { parseCreateKey, parseRotateKey, parseUpdateKey } from '../../../lib/accounts/key-request';
import { handClock, refusal } from './make-accounts';

const clock = handClock('2026-11-18T10:30:00Z');
const nowSeconds = clock.nowMs() / 1000;
const create = (body: unknown) => parseCreateKey(body, clock);
const minimal = { name: 'CI', mode: 'test' };
const refused = (run: () => unknown) => refusal(Promise.resolve().then(run));

describe('parseCreateKey', () => {
  it('needs a name and a mode; the scope is inference', () => {
    expect(create(minimal)).toEqual({ name: 'CI', mode: 'test', scopes: ['inference'] });
  });

  it('reads every property of a key', () => {
    const request = create({
      name: '  Production  ',
      mode: 'live',
      scopes: ['manage', 'inference', 'manage'],
      expires_at: nowSeconds + 60,
      limit: { amount: '25.50', period: 'monthly' },
      allowed_models: ['sandbox-t2v', 'acme/x-1.5'],
      allowed_providers: ['sandbox'],
      allowed_regions: ['eu', 'eu-central-1'],
      allowed_endpoints: ['/v1/videos', '/v1/audio/speech'],
      allowed_addresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1'],
    });
    expect(request).toEqual({
      name: 'Production',
      mode: 'live',
      scopes: ['manage', 'inference'],
      expires_at: new Date((nowSeconds + 60) * 1000),
      limit: { amount: 25_500_000_000n, period: 'monthly' },
      allowed_models: ['sandbox-t2v', 'acme/x-1.5'],
      allowed_providers: ['sandbox'],
      allowed_regions: ['eu', 'eu-central-1'],
      allowed_endpoints: ['/v1/videos', '/v1/audio/speech'],
      allowed_addresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1'],
    });
  });

  it('takes an ISO instant, and null for no expiry, no limit and no restriction', () => {
    const request = create({ ...minimal, expires_at: '2027-01-31T00:00:00+01:00', limit: null, allowed_models: null });
    expect(request.expires_at).toEqual(new Date('2027-01-30T23:00:00Z'));
    expect(request.limit).toBeNull();
    expect(create({ ...minimal, expires_at: null }).expires_at).toBeNull();
  });

  it.each([
    [undefined, 'invalid_body', undefined],
    [null, 'invalid_body', undefined],
    [[], 'invalid_body', undefined],
    ['text', 'invalid_body', undefined],
    [{ mode: 'test' }, 'missing_required_parameter', 'name'],
    [{ name: 'CI' }, 'missing_required_parameter', 'mode'],
    [{ ...minimal, name: 7 }, 'invalid_type', 'name'],
    [{ ...minimal, name: null }, 'invalid_type', 'name'],
    [{ ...minimal, name: '   ' }, 'unsupported_value', 'name'],
    [{ ...minimal, name: 'x'.repeat(101) }, 'string_too_long', 'name'],
    [{ ...minimal, name: 'a\u0000b' }, 'invalid_character', 'name'],
    [{ ...minimal, name: 'a\ud800b' }, 'invalid_character', 'name'],
    [{ ...minimal, mode: 'prod' }, 'unsupported_value', 'mode'],
    [{ ...minimal, rates: {} }, 'unsupported_parameter', 'rates'],
    [{ ...minimal, limits: { requests_per_second: 0 } }, 'unsupported_value', 'limits.requests_per_second'],
    [{ ...minimal, limits: { token_counts_per_minute: 5 } }, 'unsupported_value', 'limits'],
    [{ ...minimal, disabled: true }, 'unsupported_parameter', 'disabled'],
    [{ ...minimal, ['x'.repeat(5000)]: 1 }, 'unsupported_parameter', 'x'.repeat(64)],
    [
      { ...minimal, limit: { amount: '1', period: 'daily', currency: 'USD' } },
      'unsupported_parameter',
      'limit.currency',
    ],
    [{ ...minimal, limit: 25 }, 'invalid_type', 'limit'],
    [{ ...minimal, limit: { period: 'daily' } }, 'missing_required_parameter', 'limit.amount'],
    [{ ...minimal, limit: { amount: '25' } }, 'missing_required_parameter', 'limit.period'],
    [{ ...minimal, limit: { amount: 25, period: 'daily' } }, 'invalid_type', 'limit.amount'],
    [{ ...minimal, limit: { amount: '-1', period: 'daily' } }, 'unsupported_value', 'limit.amount'],
    [{ ...minimal, limit: { amount: '1e3', period: 'daily' } }, 'unsupported_value', 'limit.amount'],
    [{ ...minimal, limit: { amount: '0.0000000001', period: 'daily' } }, 'unsupported_value', 'limit.amount'],
    [{ ...minimal, limit: { amount: '1000000000.01', period: 'daily' } }, 'unsupported_value', 'limit.amount'],
    [{ ...minimal, limit: { amount: '99999999999999999999', period: 'daily' } }, 'unsupported_value', 'limit.amount'],
    [{ ...minimal, limit: { amount: '1', period: 'yearly' } }, 'unsupported_value', 'limit.period'],
    [{ ...minimal, expires_at: nowSeconds }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: nowSeconds * 1000 + 60_000 }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: '9999-12-31T23:59:59-01:00' }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: nowSeconds + 0.5 }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: Infinity }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: 'tomorrow' }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: '2027-01-31' }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: '2027-01-31T00:00:00' }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: '2020-01-31T00:00:00Z' }, 'unsupported_value', 'expires_at'],
    [{ ...minimal, expires_at: true }, 'invalid_type', 'expires_at'],
    [{ ...minimal, scopes: [] }, 'unsupported_value', 'scopes'],
    [{ ...minimal, scopes: ['admin'] }, 'unsupported_value', 'scopes[0]'],
    [{ ...minimal, scopes: 'inference' }, 'invalid_type', 'scopes'],
    [{ ...minimal, scopes: ['manage'] }, 'conflicting_parameters', 'scopes'],
    [{ ...minimal, allowed_models: [] }, 'unsupported_value', 'allowed_models'],
    [{ ...minimal, allowed_models: 'sandbox-t2v' }, 'invalid_type', 'allowed_models'],
    [{ ...minimal, allowed_models: ['ok', 3] }, 'invalid_type', 'allowed_models[1]'],
    [{ ...minimal, allowed_models: ['a\u0000'] }, 'unsupported_value', 'allowed_models[0]'],
    [{ ...minimal, allowed_models: Array(101).fill('m') }, 'unsupported_value', 'allowed_models'],
    [{ ...minimal, allowed_endpoints: ['/console'] }, 'unsupported_value', 'allowed_endpoints[0]'],
    [{ ...minimal, allowed_endpoints: ['/v1/videos/'] }, 'unsupported_value', 'allowed_endpoints[0]'],
    [{ ...minimal, allowed_addresses: ['1'] }, 'unsupported_value', 'allowed_addresses[0]'],
    [{ ...minimal, allowed_addresses: ['0x7f.1'] }, 'unsupported_value', 'allowed_addresses[0]'],
    [{ ...minimal, allowed_addresses: ['10.0.0.0/33'] }, 'unsupported_value', 'allowed_addresses[0]'],
    [{ ...minimal, allowed_addresses: ['10.0.0.0/'] }, 'unsupported_value', 'allowed_addresses[0]'],
    [{ ...minimal, allowed_addresses: ['10.0.0.0/8/8'] }, 'unsupported_value', 'allowed_addresses[0]'],
    [{ ...minimal, allowed_addresses: ['fe80::1%eth0'] }, 'unsupported_value', 'allowed_addresses[0]'],
    [{ ...minimal, allowed_addresses: ['example.com'] }, 'unsupported_value', 'allowed_addresses[0]'],
  ])('refuses %j as %s at %s', async (body, code, param) => {
    const error = await refused(() => create(body));
    expect(error).toMatchObject({ code, param });
    expect(error.message).toMatch(/^[^\p{Cc}]{20,500}$/u);
    // Messages of ours, not of a library.
    expect(error.message).not.toMatch(/Invalid input|Too (big|small)|Unrecognized|expected/);
  });

  it('says what is required when something is missing', async () => {
    const error = await refused(() => create({ name: 'CI' }));
    expect(error.message).toBe('mode is required. mode must be "live" or "test".');
  });
});

describe('parseUpdateKey', () => {
  it('reads only what is sent, and null as "no restriction"', () => {
    expect(parseUpdateKey({}, clock)).toEqual({});
    expect(parseUpdateKey({ disabled: true, limit: null, expires_at: null, allowed_models: null }, clock)).toEqual({
      disabled: true,
      limit: null,
      expires_at: null,
      allowed_models: null,
    });
  });

  it.each([
    [{ mode: 'live' }, 'unsupported_parameter', 'mode'],
    [{ disabled: 'yes' }, 'invalid_type', 'disabled'],
    [{ name: '' }, 'unsupported_value', 'name'],
  ])('refuses %j as %s at %s', async (body, code, param) => {
    expect(await refused(() => parseUpdateKey(body, clock))).toMatchObject({ code, param });
  });
});

describe('parseRotateKey', () => {
  it('overlaps by 0 seconds by default, by 7 days at most', () => {
    expect(parseRotateKey(undefined)).toEqual({ overlapSeconds: 0 });
    expect(parseRotateKey({})).toEqual({ overlapSeconds: 0 });
    expect(parseRotateKey({ overlap_seconds: 604_800 })).toEqual({ overlapSeconds: 604_800 });
  });

  it.each([-1, 604_801, 0.5])('refuses %j seconds', async (overlap_seconds) => {
    expect(await refused(() => parseRotateKey({ overlap_seconds }))).toMatchObject({
      code: 'unsupported_value',
      param: 'overlap_seconds',
    });
  });

  it('refuses a text and an unknown field', async () => {
    expect(await refused(() => parseRotateKey({ overlap_seconds: '60' }))).toMatchObject({ code: 'invalid_type' });
    expect(await refused(() => parseRotateKey({ overlap: 60 }))).toMatchObject({
      code: 'unsupported_parameter',
      param: 'overlap',
    });
  });
});
