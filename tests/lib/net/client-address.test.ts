import { describe, expect, it } from 'vitest';
import { prefersHtml } from '../../../lib/http/accept';
import { provenPeer, attestPeerAddress } from '../../../lib/http/forwarded-peer';
import { createAddressReader } from '../../../lib/net/client-address';

describe('the remote address', () => {
  const trusting = createAddressReader(['10.0.0.0/8', 'fd00::/8', '192.0.2.7']);
  it.each([
    ['203.0.113.5', undefined, '203.0.113.5'],
    ['203.0.113.5', '1.2.3.4', '203.0.113.5'],
    ['10.1.1.1', undefined, '10.1.1.1'],
    ['10.1.1.1', '1.2.3.4', '1.2.3.4'],
    ['::ffff:10.1.1.1', '1.2.3.4', '1.2.3.4'],
    ['fd00::1', '2001:db8::1', '2001:db8::1'],
    ['10.1.1.1', '9.9.9.9, 1.2.3.4', '1.2.3.4'],
    ['10.1.1.1', '9.9.9.9, 1.2.3.4, 10.2.2.2', '1.2.3.4'],
    ['10.1.1.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['192.0.2.7', '1.2.3.4:5678', '1.2.3.4'],
    ['192.0.2.7', '[2001:db8::1]:5678', '2001:db8::1'],
    ['10.1.1.1', '1.2.3.4, unknown', '10.1.1.1'],
    ['10.1.1.1', '', '10.1.1.1'],
    ['10.1.1.1', "127.0.0.1' or 1=1", '10.1.1.1'],
  ])('of peer %s with X-Forwarded-For %j is %s', (peer, forwardedFor, address) =>
    expect(trusting(peer, forwardedFor)).toBe(address),
  );

  it('is the peer if no proxy is trusted', () => {
    expect(createAddressReader([])('::ffff:1.2.3.4', '9.9.9.9')).toBe('1.2.3.4');
  });

  it('reaches a page only with the proof of our own server', () => {
    expect(provenPeer('guess 9.9.9.9')).toBeUndefined();
    expect(provenPeer(attestPeerAddress('1.2.3.4'))).toBe('1.2.3.4');
    expect(provenPeer(`undefined 9.9.9.9`)).toBeUndefined();
    expect(provenPeer(null)).toBeUndefined();
  });
});

describe('prefersHtml', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html', true],
    ['text/html;q=0.9, application/json;q=0.5', true],
    ['*/*', false],
    [undefined, false],
    ['application/json', false],
    ['application/json, text/html;q=0.5', false],
    ['application/json, text/html', false],
    ['text/html;q=0', false],
    ['text/*', false],
  ])('%j: %s', (accept, prefers) => expect(prefersHtml(accept)).toBe(prefers));
});
