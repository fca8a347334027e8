import { describe, expect, test } from 'vitest';
import {
  keepBatch,
  nextRow,
  parseBatch,
  withoutMedia,
  withRow,
  type Batch,
} from '../../app/console/playground/batch/batch';
import { MAX_VIDEOS, planBatch, promptsOf, seedsOf } from '../../app/console/playground/batch/batch-plan';
import { sharedModel, whyNotShared } from '../../app/console/playground/batch/shared-model';
import { emptyForm, type ShownModel, type VideoForm } from '../../app/console/components/video-form/form';
import { estimateOf } from '../../app/console/components/video-form/estimate';
import { allModels } from '../../lib/catalog/models';
import { parseUsd, usdText } from '../../lib/domain/money';
import type { VideoModel } from '../../lib/domain/model';

// The plan of a batch of videos, without a browser.

const videoModels = allModels.filter(
  (model): model is VideoModel => model.capability === 'video' && model.deactivatedAt === undefined,
);
const shownOf = (model: VideoModel): ShownModel => ({ model, offered: [], implemented: true, publishesMedia: false });
const shown = (id: string) => shownOf(videoModels.find((model) => model.id === id)!);
const ofKind = (kind: string) => videoModels.filter(({ video }) => video.kind === kind);

function plan(
  form: Partial<VideoForm>,
  models: readonly ShownModel[],
  settings: { readonly isPromptPerLine?: boolean; readonly seeds?: string } = {},
) {
  const modelIds = models.map(({ model }) => model.id);
  return planBatch(
    { ...emptyForm(modelIds[0]!), ...form },
    { isPromptPerLine: true, seeds: '', ...settings },
    sharedModel(models.map(({ model }) => model))!,
    models,
    'test',
  );
}

describe('sharedModel', () => {
  test.each(['t2v', 'i2v', 'start-end', 'r2v'])(
    '%s: every pair that shares a form can order what it offers',
    (kind) => {
      let pairs = 0;
      for (const one of ofKind(kind))
        for (const other of ofKind(kind)) {
          const shared = sharedModel([one, other])!;
          if (one === other || whyNotShared(shared) !== undefined) continue;
          pairs += 1;
          const image = { kind: 'url', url: 'https://example.com/picture.png' } as const;
          const count = Math.max(shared.video.media.images?.min ?? 0, kind === 't2v' ? 0 : 1);
          const images = Array.from({ length: kind === 'start-end' ? 2 : count }, () => image);
          const planned = plan({ prompt: 'A boat', images }, [shownOf(one), shownOf(other)]);
          expect(
            planned.videos.map(({ modelId, error }) => `${modelId}: ${error ?? 'fine'}`),
            `${one.id} with ${other.id}`,
          ).toEqual([`${one.id}: fine`, `${other.id}: fine`]);
        }
      expect(pairs).toBeGreaterThan(0);
    },
  );

  test('has only the lengths, sizes and parameters that all models have, and the strictest limits', () => {
    const [one, other] = [shown('sandbox-t2v').model, shown('veo-3.1-fast-t2v').model];
    const { video } = sharedModel([one, other])!;
    for (const fact of ['seconds', 'resolutions', 'parameters'] as const)
      expect([fact, ...video[fact]]).toEqual([
        fact,
        ...(one.video[fact] as readonly unknown[]).filter((value) =>
          (other.video[fact] as readonly unknown[]).includes(value),
        ),
      ]);
    expect(video.promptCharacters).toBe(Math.min(one.video.promptCharacters, other.video.promptCharacters));
    expect(video.maxSeed).toBe(Math.min(one.video.maxSeed, other.video.maxSeed));
  });

  test('says what two models do not share', () => {
    const model = shown('sandbox-t2v').model;
    const with360p = { ...model, video: { ...model.video, resolutions: ['360p'] } };
    const with720p = { ...model, video: { ...model.video, resolutions: ['720p'] } };
    expect(whyNotShared(sharedModel([with360p, with720p])!)).toBe('These models have no resolution in common.');
    expect(whyNotShared(sharedModel([model, model])!)).toBeUndefined();
  });
});

describe('promptsOf', () => {
  test('has a prompt for each line that is not blank, or the whole text', () => {
    expect(promptsOf(' one \n\n two\n', true)).toEqual(['one', 'two']);
    expect(promptsOf('one\ntwo', false)).toEqual(['one\ntwo']);
    expect(promptsOf(' \n ', false)).toEqual([]);
  });
});

describe('seedsOf', () => {
  test('reads numbers in any separation, each once', () => {
    expect(seedsOf('1, 2;3 4\n1', 10)).toEqual([1, 2, 3, 4]);
    expect(seedsOf('', 10)).toEqual([]);
  });

  test.each(['1, x', '-1', '11', '1.5'])('refuses %s', (text) => {
    expect(seedsOf(text, 10)).toBeUndefined();
  });
});

describe('planBatch', () => {
  test('plans each prompt with each seed by each model, and sums the exact prices', () => {
    const models = [shown('sandbox-t2v'), shown('veo-3.1-fast-t2v')];
    const planned = plan({ prompt: 'A boat\nA lake' }, models, { seeds: '1, 2' });
    expect(planned.videos.map(({ prompt, seed, modelId }) => `${prompt} ${seed} ${modelId}`)).toEqual(
      ['A boat', 'A lake'].flatMap((prompt) =>
        [1, 2].flatMap((seed) => models.map(({ model }) => `${prompt} ${seed} ${model.id}`)),
      ),
    );
    const sum = planned.videos.reduce((total, { quote }) => total + parseUsd(quote!.total), 0n);
    expect([planned.count, planned.totalUsd]).toEqual([8, usdText(sum)]);
    expect(planned.videos[2]!.body()).toMatchObject({ model: 'sandbox-t2v', prompt: 'A boat', seed: 2 });
  });

  test('orders the same length and size from models whose defaults differ, at the price of that order', () => {
    const models = [shown('sandbox-t2v'), shown('veo-3.1-fast-t2v')];
    const { video } = sharedModel(models.map(({ model }) => model))!;
    const bodies = plan({ prompt: 'A boat' }, models).videos.map((each) => each.body());
    for (const [index, { model }] of models.entries()) {
      expect(bodies[index]!['seconds'] ?? model.video.defaultSeconds).toBe(video.defaultSeconds);
    }
    const [, second] = plan({ prompt: 'A boat' }, models).videos;
    const alone = estimateOf(
      {
        ...emptyForm('veo-3.1-fast-t2v'),
        prompt: 'A boat',
        seconds: video.defaultSeconds!,
        resolution: video.defaultResolution,
      },
      models[1]!,
      'test',
    );
    expect(second!.quote?.total).toBe(alone.quote?.total);
  });

  test('a video that cannot be ordered has the reason, and is not part of the price', () => {
    const { model } = shown('sandbox-t2v');
    const planned = plan({ prompt: `short\n${'x'.repeat(model.video.promptCharacters + 1)}` }, [shownOf(model)]);
    expect(planned.videos.map(({ error }) => error === undefined)).toEqual([true, false]);
    expect(planned.videos[1]!.error).toContain('prompt');
    expect([planned.count, planned.totalUsd]).toEqual([1, planned.videos[0]!.quote!.total]);
  });

  test('has a problem instead of too many videos, without a prompt, and with other seeds than numbers', () => {
    const models = [shown('sandbox-t2v')];
    const lines = Array.from({ length: MAX_VIDEOS + 1 }, (_, index) => `prompt ${index}`).join('\n');
    expect(plan({ prompt: lines }, models).problem).toBe(
      `A batch has at most ${MAX_VIDEOS} videos; these are ${MAX_VIDEOS + 1}. Use fewer prompts, seeds or models.`,
    );
    expect(plan({ prompt: ' ' }, models).problem).toBe('Write a prompt first.');
    expect(plan({ prompt: 'A boat' }, models, { seeds: 'one' }).problem).toMatch(/^Seeds must be whole numbers up to/);
  });
});

describe('a batch that the tab keeps', () => {
  const batch: Batch = {
    mode: 'test',
    startedAt: 1,
    sentAt: 1,
    media: {},
    rows: (['submitted', 'waiting', 'sending'] as const).map((state, index) => ({
      idempotencyKey: `key-${index}`,
      modelId: 'sandbox-t2v',
      prompt: 'A boat',
      price: '0.05',
      state,
      body: { model: 'sandbox-t2v', prompt: 'A boat' },
    })),
  };

  test('continues with the row that has no answer yet, with its key', () => {
    expect(nextRow(batch)?.idempotencyKey).toBe('key-2');
    const answered = withRow(batch, 'key-2', { state: 'submitted' });
    expect(nextRow(answered)?.idempotencyKey).toBe('key-1');
    expect(nextRow(withRow(answered, 'key-1', { state: 'refused' }))).toBeUndefined();
  });

  test('is the same after a reload, and nothing else is taken for one', () => {
    expect(parseBatch(JSON.stringify(batch))).toEqual(batch);
    for (const text of [null, 'null', '{}', 'no json', '{"rows":1}']) expect(parseBatch(text)).toBeUndefined();
  });

  test('without storage, nothing is thrown', () => {
    expect(() => keepBatch(batch)).not.toThrow();
  });

  test('has one copy of the media of its requests', () => {
    expect(withoutMedia({ model: 'm', prompt: 'p', image_url: 'data:image/png;base64,AAAA', seconds: 5 })).toEqual({
      media: { image_url: 'data:image/png;base64,AAAA' },
      body: { model: 'm', prompt: 'p', seconds: 5 },
    });
  });
});
