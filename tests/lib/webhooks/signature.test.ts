import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret } from '../../../lib/accounts/webhook-secret';
import { signWebhook } from '../../../lib/webhooks/signature';

const body = '{"id":"video_1","prompt":"ein Käfer 🪲"}';

describe('signWebhook', () => {
  it('signs so that the official library verifies it', () => {
    const secret = newWebhookSecret();
    const timestamp = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
      'webhook-signature': signWebhook({ id: 'msg_1', timestamp, body, secrets: [secret] }),
    };
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature');
  });

  it('signs with both secrets during a rotation', () => {
    const [current, former] = [newWebhookSecret(), newWebhookSecret()];
    const timestamp = new Date();
    const signature = signWebhook({ id: 'msg_1', timestamp, body, secrets: [current, former] });
    expect(signature).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
      'webhook-signature': signature,
    };
    for (const secret of [current, former]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });
});

describe('newWebhookSecret', () => {
  it('is 32 random bytes behind whsec_', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});
