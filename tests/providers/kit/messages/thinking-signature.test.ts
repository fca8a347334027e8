import { describe, expect, it } from 'vitest';
import { createThinkingSigner, isOurSignature } from '../../../../lib/providers/kit/messages/thinking-signature';

const signer = createThinkingSigner('a master key of thirty-two letters');

describe('the signature of a thinking block', () => {
  it.each(['', 'sig', 'é.ü/+=', 'a'.repeat(5_000)])('returns what the provider wrote: %s', (original) => {
    expect(signer.open('moonshot', 'Hm.', signer.sign('moonshot', 'Hm.', original))).toBe(original);
  });

  it('is plain text that clients keep, and names its provider', () => {
    const signature = signer.sign('moonshot', 'Hm.', 'é');
    expect(signature).toMatch(/^gw1\.moonshot\.[\w-]*\.[\w-]{22}$/);
    expect(isOurSignature(signature)).toBe(true);
    expect(isOurSignature('EqQBCgIYAhIM')).toBe(false);
  });

  it('opens with a fallback what was signed before the master key was rotated', () => {
    const rotated = createThinkingSigner('the current master key', ['a master key of thirty-two letters']);
    expect(rotated.open('moonshot', 'Hm.', signer.sign('moonshot', 'Hm.', 'x'))).toBe('x');
    expect(signer.open('moonshot', 'Hm.', rotated.sign('moonshot', 'Hm.', 'x'))).toBeUndefined();
  });

  it.each([
    ['another provider', 'deepseek', 'Hm.', signer.sign('moonshot', 'Hm.', 'x')],
    [
      'a replaced provider name',
      'deepseek',
      'Hm.',
      signer.sign('moonshot', 'Hm.', 'x').replace('moonshot', 'deepseek'),
    ],
    ['a thinking block that was changed', 'moonshot', 'Hm!', signer.sign('moonshot', 'Hm.', 'x')],
    ['another original', 'moonshot', 'Hm.', signer.sign('moonshot', 'Hm.', 'x').replace('.eA.', '.eQ.')],
    ['no code', 'moonshot', 'Hm.', 'gw1.moonshot.'],
    ['an invented code', 'moonshot', 'Hm.', `gw1.moonshot.eA.${'A'.repeat(22)}`],
    ['more behind the code', 'moonshot', 'Hm.', `${signer.sign('moonshot', 'Hm.', 'x')}.x`],
    [
      'another installation',
      'moonshot',
      'Hm.',
      createThinkingSigner('another master key').sign('moonshot', 'Hm.', 'x'),
    ],
    ["the vendor's own", 'anthropic', 'Hm.', 'EqQBCgIYAhIM'],
  ])('does not open with %s', (_what, providerId, thinking, signature) => {
    expect(signer.open(providerId, thinking, signature)).toBeUndefined();
  });

  it('opens in every process with the same master key', () => {
    expect(
      createThinkingSigner('one key').open('zai', 'T', createThinkingSigner('one key').sign('zai', 'T', 's')),
    ).toBe('s');
  });
});
