import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import { makeOutbound } from '../../support/make-outbound';
import type { Sentinel } from '../../support/sentinel';
import { startSentinel } from '../../support/sentinel';

// PORT stands for the port of a sentinel on 127.0.0.1 and is among the allowed ports, so that each row is refused only
// for the reason of its group.

const literals = [
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.0.0.1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://017700000001:PORT/',
  'https://127。0。0。1:PORT/',
  'https://①②⑦.0.0.1:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT\\',
  'https:127.0.0.1:PORT',
  'https:///127.0.0.1:PORT',
  'https://127.0.0.1.:PORT/',
  ' \tHTTPS://127.0.\n0.1:PORT/',
  'https://127.255.255.254:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://0.1.2.3:PORT/',
  'https://10.0.0.1:PORT/',
  'https://100.64.0.1:PORT/',
  'https://100.127.255.255:PORT/',
  'https://169.254.169.254:PORT/',
  'https://169.254.170.2:PORT/',
  'https://172.16.0.1:PORT/',
  'https://172.31.255.255:PORT/',
  'https://192.0.0.8:PORT/',
  'https://192.0.2.1:PORT/',
  'https://192.88.99.1:PORT/',
  'https://192.168.1.1:PORT/',
  'https://198.18.0.1:PORT/',
  'https://198.19.255.255:PORT/',
  'https://198.51.100.1:PORT/',
  'https://203.0.113.1:PORT/',
  'https://224.0.0.1:PORT/',
  'https://239.255.255.250:PORT/',
  'https://240.0.0.1:PORT/',
  'https://255.255.255.255:PORT/',
  'https://[::]:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[::ffff:169.254.169.254]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[64:ff9b:1::a00:1]:PORT/',
  'https://[100::1]:PORT/',
  'https://[2001::1]:PORT/',
  'https://[2001:db8::1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2002:a00:1::1]:PORT/',
  'https://[3fff::1]:PORT/',
  'https://[4000::1]:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fd00:ec2::254]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fec0::1]:PORT/',
  'https://[ff02::1]:PORT/',
  'https://localhost:PORT/',
  'https://LOCALHOST.:PORT/',
  'https://app.localhost:PORT/',
];

const names: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'metadata.google.internal': [['169.254.169.254']],
  '169.254.169.254.nip.io': [['169.254.169.254']],
  'loopback.example': [['127.0.0.1']],
  'private.example': [['10.0.0.1']],
  'mixed-v4.example': [['93.184.215.14', '127.0.0.1']],
  'mixed-v6.example': [['93.184.215.14', '::1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'nat64.example': [['64:ff9b::7f00:1']],
  'scoped.example': [['fe80::1%eth0']],
  'nonsense.example': [['127.1']],
};

const forms: readonly (readonly [string, string])[] = [
  ['http://93.184.215.14/', 'must start with https://'],
  ['http://public.example/', 'must start with https://'],
  ['ftp://public.example/', 'must start with https://'],
  ['file:///etc/passwd', 'must start with https://'],
  ['gopher://127.0.0.1:PORT/', 'must start with https://'],
  ['javascript:alert(1)', 'must start with https://'],
  ['//127.0.0.1:PORT/', 'must be a complete URL'],
  ['127.0.0.1:PORT', 'must be a complete URL'],
  ['', 'must be a complete URL'],
  ['https://', 'must be a complete URL'],
  ['https://.../', 'must name a host'],
  ['https://[::1%25lo]:PORT/', 'must be a complete URL'],
  ['https://1.2.3.4.5/', 'must be a complete URL'],
  ['https://name@public.example/', 'user name or a password'],
  ['https://:word@public.example/', 'user name or a password'],
  ['https://user@127.0.0.1:PORT@public.example/', 'user name or a password'],
  ['https://public.example:22/', 'may use port'],
  ['https://public.example:6379/', 'may use port'],
  ['https://gateway.example/v1/videos', 'leads back to this service'],
  ['https://GATEWAY.example./v1/videos', 'leads back to this service'],
  [`https://public.example/${'a'.repeat(2_030)}`, 'at most 2,048 characters'],
];

let sentinel: Sentinel;
beforeAll(async () => void (sentinel = await startSentinel()));
afterAll(() => sentinel.close());

const at = (url: string) => url.replaceAll('PORT', String(sentinel.port));
const guarded = () => makeOutbound(names, { ports: [443, sentinel.port], ownHosts: ['Gateway.example'] });
const request = { purpose: 'media', param: 'image_url', maxBytes: 1_000, totalMs: 2_000, redirects: 3 } as const;

async function expectNoConnection(url: string, sentence: string) {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const error: unknown = await guarded()
    .fetch(at(url), request)
    .catch((thrown: unknown) => thrown);
  expect(isGatewayError(error) && { code: error.code, param: error.extra.param }).toEqual({
    code: 'url_not_allowed',
    param: 'image_url',
  });
  expect(String(error)).toContain(sentence);
  expect(connect).not.toHaveBeenCalled();
  expect(sentinel.connections()).toBe(0);
}

describe('URLs that are never connected to', () => {
  it('are more than sixty', () => {
    expect(literals.length + Object.keys(names).length + forms.length).toBeGreaterThan(60);
  });

  it.each(literals)('a literal: %j', async (url) => {
    expect(() => guarded().checkUrl(at(url), request)).toThrow('does not lead to a public address');
    await expectNoConnection(url, 'does not lead to a public address');
  });

  it.each(Object.keys(names))('a name: %s', async (host) => {
    const url = `https://${host}:PORT/`;
    const outbound = guarded();
    const checked = outbound.checkUrl(at(url), request);
    await expect(outbound.checkName(checked, { ...request, withinMs: 300 })).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
    await expectNoConnection(url, 'does not lead to a public address');
  });

  it.each(forms)('a form: %j', async (url, sentence) => {
    expect(() => guarded().checkUrl(at(url), request)).toThrow(sentence);
    await expectNoConnection(url, sentence);
  });

  it('the sentinel works: with an exemption the same address is reached', async () => {
    const outbound = makeOutbound({}, { allow: ['127.0.0.0/8'] });
    const answer = await outbound.fetch(`http://127.1:${sentinel.port}/`, request);
    expect(answer.body.toString()).toBe('here');
    expect(sentinel.connections()).toBe(1);
  });
});
