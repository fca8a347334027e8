import { describe, expect, it } from 'vitest';
import { policyNamesOf, unknownNames } from '../../app/console/components/policy/unknown-names';

const known = policyNamesOf([
  { id: 'sandbox-t2v', aliases: ['sandbox-video'], providers: [{ providerId: 'sandbox', region: 'eu' }] },
  { id: 'kling-o1-r2v', aliases: [], providers: [{ providerId: 'kling' }, { providerId: 'fal', region: 'us' }] },
]);

describe('the names of a policy', () => {
  it('that the catalog has need no word', () => {
    expect(unknownNames('models', ['sandbox-t2v', 'kling-o1-r2v'], known)).toBeUndefined();
    expect(unknownNames('providers', ['fal', 'sandbox'], known)).toBeUndefined();
    expect(unknownNames('regions', ['eu'], known)).toBeUndefined();
    expect(unknownNames('models', [], known)).toBeUndefined();
  });

  it('that it does not have are named, with a similar one if there is one', () => {
    expect(unknownNames('models', ['no-such-model'], known)).toBe('There is no model no-such-model.');
    expect(unknownNames('models', ['sandbox-t2w', 'sandbox-t2v', 'x'], known)).toBe(
      'There is no model sandbox-t2w. Did you mean sandbox-t2v? There is no model x.',
    );
    expect(unknownNames('providers', ['sandbxo'], known)).toBe('There is no provider sandbxo. Did you mean sandbox?');
    expect(unknownNames('providers', ['sandbo'], known)).toBe('There is no provider sandbo. Did you mean sandbox?');
    expect(unknownNames('regions', ['eu1'], known)).toBe('No provider is in the data region eu1. Did you mean eu?');
  });

  it('must be ids: an alias allows nothing', () => {
    expect(unknownNames('models', ['sandbox-video'], known)).toBe(
      'sandbox-video is an alias: enter sandbox-t2v instead.',
    );
  });

  it('are not judged before the catalog is loaded', () => {
    expect(unknownNames('models', ['no-such-model'], undefined)).toBeUndefined();
  });
});
