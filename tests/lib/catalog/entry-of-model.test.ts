import { describe, expect, it } from 'vitest';
import { entryOfModel, type ModelEntry } from '../../../lib/catalog/entry-of-model';
import { messagesEntrySchema, messagesModel } from '../../../lib/catalog/messages-entry';
import { videoEntrySchema, videoModel } from '../../../lib/catalog/model-entry';
import { allModels } from '../../../lib/catalog/models';
import { sttEntrySchema, sttModel, ttsEntrySchema, ttsModel } from '../../../lib/catalog/speech-entry';
import type { Capability, Model } from '../../../lib/domain/model';

/** The model of an entry that has passed through JSON and the schema. */
const makers: Readonly<Record<Capability, (entry: unknown) => Model>> = {
  video: (entry) => videoModel(videoEntrySchema.parse(entry)),
  messages: (entry) => messagesModel(messagesEntrySchema.parse(entry)),
  stt: (entry) => sttModel(sttEntrySchema.parse(entry)),
  tts: (entry) => ttsModel(ttsEntrySchema.parse(entry)),
};
const again = (model: Model, entry: ModelEntry) => makers[model.capability](JSON.parse(JSON.stringify(entry)));

describe('the entry of a model', () => {
  it.each(allModels.map((model) => [model.id, model] as const))('%s makes the same model again', (_id, model) => {
    expect(again(model, entryOfModel(model))).toEqual(model);
  });

  it('has prices as exact decimals', () => {
    const entry = entryOfModel(allModels.find(({ id }) => id === 'kling-3.0-t2v')!);
    expect(entry.bindings[0]?.price).toMatchObject({
      rates: [
        { resolution: '720p', audio: false, usd: '0.084' },
        { resolution: '720p', audio: true, usd: '0.126' },
        { resolution: '1080p', audio: false, usd: '0.112' },
        { resolution: '1080p', audio: true, usd: '0.168' },
        { resolution: '4k', usd: '0.42' },
      ],
    });
  });

  it('becomes stable with a verified price, because only the unverified one made it experimental', () => {
    const model = allModels.find(({ id }) => id === 'vidu-q3-pro-fast-i2v')!;
    expect(model.stability).toBe('experimental');
    const entry = videoEntrySchema.parse(entryOfModel(model));
    const bindings = entry.bindings.map(({ price, ...binding }) => ({
      ...binding,
      price: { ...price!, verified: true },
    }));
    expect(videoModel({ ...entry, bindings })).toMatchObject({
      stability: 'stable',
      bindings: bindings.map(() => ({ stability: 'stable' })),
    });
  });
});
