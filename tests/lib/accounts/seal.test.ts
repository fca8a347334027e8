import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../../../lib/accounts/seal';
import { newWebhookSecret, webhookSecretOf } from '../../../lib/accounts/webhook-secret';
import { newId } from '../../../lib/domain/ids';

const sealer = createSealer('a master key of some length');

describe('createSealer', () => {
  it('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, belongsTo) => {
        const sealed = sealer.seal(text, belongsTo);
        expect(sealed).toMatch(/^v1\.[\w-]+$/);
        expect(sealer.open(sealed, belongsTo)).toBe(text);
      }),
    );
  });

  it('seals the same text differently each time', () => {
    expect(sealer.seal('same', 'row')).not.toBe(sealer.seal('same', 'row'));
  });

  it('opens no text that was moved to another row', () => {
    const [one, other] = [newId('org'), newId('org')];
    const sealed = sealer.seal(newWebhookSecret(), webhookSecretOf(one));
    expect(() => sealer.open(sealed, webhookSecretOf(other))).toThrow('could not be decrypted');
  });

  it('opens nothing with another master key, and its error contains nothing of the text', () => {
    const sealed = sealer.seal('canary', 'row');
    expect(() => createSealer('another master key').open(sealed, 'row')).toThrow(
      /^A stored secret could not be decrypted\. Check that MASTER_KEY/,
    );
  });

  it('opens with a fallback what another master key sealed, and seals it again with its own', () => {
    const old = 'the former master key';
    const sealed = createSealer(old).seal('canary', 'row');
    const rotated = createSealer('the new master key', ['a third one', old]);
    expect(rotated.open(sealed, 'row')).toBe('canary');
    const again = rotated.reseal(sealed, 'row') ?? '';
    expect(createSealer('the new master key').open(again, 'row')).toBe('canary');
    expect(rotated.reseal(again, 'row')).toBeUndefined();
    expect(() => rotated.reseal(sealed, 'other row')).toThrow('could not be decrypted');
    expect(() => createSealer('the new master key').reseal(sealed, 'row')).toThrow('could not be decrypted');
  });

  it('detects every changed byte', () => {
    const sealed = sealer.seal('a secret', 'row');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (bytes[index] ?? 0) ^ 1;
      expect(() => sealer.open(`v1.${changed.toString('base64url')}`, 'row')).toThrow('could not be decrypted');
    }
  });

  it.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain text', 'whsec_abc'])('refuses %j', (text) => {
    expect(() => sealer.open(text, 'row')).toThrow('could not be decrypted');
  });

  it('refuses an unknown version', () => {
    expect(() => sealer.open(sealer.seal('text', 'row').replace('v1.', 'v2.'), 'row')).toThrow(
      'could not be decrypted',
    );
  });
});

describe('newWebhookSecret', () => {
  it('is 32 random bytes in the form of Standard Webhooks', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(newWebhookSecret());
  });
});
