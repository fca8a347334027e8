import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { unwrapWebhook, WebhookSignatureError } from '../../../lib/client/index';
import { failedVideoExample, videoExample } from '../../../lib/contract/examples/videos';

// Signatures are made by the library of Standard Webhooks.

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one').toString('base64')}`;
const SENT = new Date('2026-11-25T10:00:00Z');
const now = SENT.getTime() + 5_000;
const body = JSON.stringify(videoExample);

function headersOf(text: string, secret = SECRET) {
  return {
    'webhook-id': 'del_1',
    'webhook-timestamp': String(SENT.getTime() / 1_000),
    'webhook-signature': new Webhook(secret).sign('del_1', SENT, text),
    'x-patchbay-attempt': '2',
  };
}

describe('unwrapWebhook', () => {
  it.each([
    ['a record', headersOf(body)],
    ['the Headers of fetch', new Headers(headersOf(body))],
    [
      'a record with capital letters',
      Object.fromEntries(Object.entries(headersOf(body)).map(([name, value]) => [name.toUpperCase(), value])),
    ],
  ])('returns the event, with headers as %s', async (_, headers) => {
    expect(await unwrapWebhook(body, headers, SECRET, { now })).toEqual({
      type: 'video.completed',
      id: 'del_1',
      attempt: 2,
      video: videoExample,
    });
  });

  it('reads bytes, and tells failed videos', async () => {
    const text = JSON.stringify(failedVideoExample);
    const event = await unwrapWebhook(new TextEncoder().encode(text), headersOf(text), SECRET, { now });
    expect(event.type).toBe('video.failed');
  });

  it('takes one of several secrets and one of several signatures', async () => {
    const one = headersOf(body, OTHER)['webhook-signature'];
    const headers = {
      ...headersOf(body),
      'webhook-signature': `v2,abc ${one} ${headersOf(body)['webhook-signature']}`,
    };
    expect((await unwrapWebhook(body, headers, [OTHER.slice(0, -4), SECRET], { now })).id).toBe('del_1');
  });

  it.each([
    ['another body', `${body} `, headersOf(body), SECRET, now, 'does not match this secret'],
    ['another secret', body, headersOf(body), OTHER, now, 'does not match this secret'],
    ['another id', body, { ...headersOf(body), 'webhook-id': 'del_2' }, SECRET, now, 'does not match this secret'],
    [
      'a signature that is no base64',
      body,
      { ...headersOf(body), 'webhook-signature': 'v1,§' },
      SECRET,
      now,
      'does not match this secret',
    ],
    ['no signature', body, { ...headersOf(body), 'webhook-signature': undefined }, SECRET, now, 'is missing'],
    ['an old webhook', body, headersOf(body), SECRET, SENT.getTime() + 301_000, 'too old'],
    ['one of the future', body, headersOf(body), SECRET, SENT.getTime() - 301_000, 'too old'],
    ['a time that is no number', body, { ...headersOf(body), 'webhook-timestamp': 'now' }, SECRET, now, 'too old'],
    ['an empty secret', body, headersOf(body), '', now, 'begins with whsec_'],
  ])('refuses %s', async (_, text, headers, secret, at, message) => {
    const refused = await unwrapWebhook(text, headers, secret, { now: at }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WebhookSignatureError);
    expect((refused as Error).message).toContain(message);
  });
});
