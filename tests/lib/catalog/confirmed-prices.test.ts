import { describe, expect, it } from 'vitest';
import { unknownConfirmations } from '../../../lib/catalog/confirmed-prices';
import { allModels } from '../../../lib/catalog/models';

describe('unknownConfirmations', () => {
  it('finds the names that confirm no price, and says why', () => {
    const names = ['nope', 'fal/veo-3.1-t2w', 'kling/veo-3.1-t2v', 'veo-3.1-t2v', 'fal/veo-3.1-t2v'];
    expect(unknownConfirmations(names, allModels)).toEqual([
      { name: 'nope', reason: 'No model of the catalog has the id nope.' },
      { name: 'fal/veo-3.1-t2w', reason: 'No model of the catalog has the id veo-3.1-t2w.' },
      { name: 'kling/veo-3.1-t2v', reason: 'kling is not a provider of veo-3.1-t2v.' },
    ]);
  });
});
