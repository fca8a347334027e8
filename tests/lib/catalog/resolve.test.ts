import { describe, expect, it } from 'vitest';
import { resolveModelName, resolveModelOf } from '../../../lib/catalog/resolve';
import type { KeyPolicy } from '../../../lib/domain/caller';
import { isGatewayError } from '../../../lib/domain/errors';
import type { Capability } from '../../../lib/domain/model';
import { makeCatalog, standingClock } from './make-catalog';
import { ofKey } from '../../support/policy-levels';

const catalog = makeCatalog();
const refusal = (name: string, from = catalog) => {
  try {
    resolveModelName(from, name);
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
  throw new Error('was resolved');
};

describe('resolveModelName', () => {
  it('finds a model by id and by alias, in one step', () => {
    expect(resolveModelName(catalog, 'kling-3.0-t2v').model.id).toBe('kling-3.0-t2v');
    expect(resolveModelName(catalog, 'veo-3.1').model.id).toBe('veo-3.1-t2v');
    expect(resolveModelName(catalog, 'kling-3.0-t2v').bindings.map((binding) => binding.providerId)).toEqual([
      'kling',
      'fal',
      'fal',
      'fal',
      'replicate',
      'wavespeed',
      'wavespeed',
      'wavespeed',
    ]);
  });

  it('reads a pin before an id or an alias', () => {
    const { model, pin, bindings } = resolveModelName(catalog, 'fal/kling-t2v');
    expect([model.id, pin, bindings.map((binding) => binding.modelName)]).toEqual([
      'kling-3.0-t2v',
      'fal',
      ['standard', 'pro', '4k'].map((tier) => `fal-ai/kling-video/v3/${tier}/text-to-video`),
    ]);
  });

  it('narrows a pinned model to what the provider serves', () => {
    expect(resolveModelOf(catalog, 'replicate/kling-2.6-t2v', 'video').model.video).toMatchObject({
      resolutions: ['1080p'],
      parameters: ['sound', 'negative_prompt'],
    });
    const vertex = resolveModelOf(catalog, 'google-vertex/veo-3.1', 'video').model.video;
    expect([vertex.audio, vertex.parameters.includes('seed')]).toEqual(['toggle', true]);
    expect(resolveModelOf(catalog, 'google-ai-studio/veo-3.1', 'video').model.video).toMatchObject({
      audio: 'always',
      parameters: ['negative_prompt'],
    });
  });

  it('has the pinned binding alone, otherwise all in catalog order', () => {
    const providersOf = (name: string) => resolveModelName(catalog, name).bindings.map(({ providerId }) => providerId);
    expect(providersOf('replicate/kling-3.0-t2v')).toEqual(['replicate']);
    expect(providersOf('kling-3.0-t2v')[0]).toBe('kling');
  });

  it('suggests the nearest three for an unknown name, pinned or not', () => {
    const error = refusal('kling-3-t2v');
    expect([error.code, error.extra.param]).toEqual(['model_not_found', 'model']);
    expect(error.extra.details).toEqual({ suggestions: ['kling-3.0-t2v', 'kling-o1-t2v', 'kling-4.0-t2v'] });
    expect(error.message).toBe(
      'There is no model "kling-3-t2v". Did you mean kling-3.0-t2v, kling-o1-t2v or kling-4.0-t2v? GET /v1/models lists what you may use.',
    );
    expect(refusal('fal/kling-3-t2v').code).toBe('model_not_found');
  });

  it('suggests, for an endpoint, models of its kind that the key may use', () => {
    const suggested = (name: string, capability: Capability, policy?: KeyPolicy) => {
      try {
        resolveModelOf(catalog, name, capability, policy);
      } catch (error) {
        if (isGatewayError(error)) return error.extra.details?.['suggestions'] ?? error.extra.details?.['alternatives'];
      }
      throw new Error('was resolved');
    };
    for (const capability of ['video', 'messages', 'stt', 'tts'] as const) {
      const found = suggested('nope', capability) as string[];
      expect(found.map((id) => catalog.find(id)?.capability)).toEqual([capability, capability, capability]);
    }
    expect(
      suggested('nope', 'video', { scopes: [], ...ofKey({ allowedModels: ['sandbox-text', 'wan-2.7-t2v'] }) }),
    ).toEqual(['wan-2.7-t2v']);
    expect(suggested('nope', 'video', { scopes: [], ...ofKey({ allowedProviders: ['luma'] }) })).toEqual([
      'ray-3.2-t2v',
      'ray-3.2-i2v',
      'ray-3.2-start-end',
    ]);
    expect(suggested('sora-2', 'video', { scopes: [], ...ofKey({ allowedModels: ['kling-3.0-t2v'] }) })).toEqual([
      'kling-3.0-t2v',
    ]);
    expect(suggested('nope', 'tts', { scopes: [], ...ofKey({ allowedModels: ['wan-2.7-t2v'] }) })).toEqual([]);
  });

  it.each(['', '/', 'kling-3.0-t2v/', 'KLING-3.0-T2V', 'x'.repeat(10_000), 'fal/'])(
    'refuses %o with a short sentence',
    (name) => {
      const error = refusal(name);
      expect(['model_not_found', 'provider_not_found']).toContain(error.code);
      expect(error.message.length).toBeLessThan(500);
    },
  );

  it('says when a retired model was retired and what to use, under its id, its alias and its pin', () => {
    for (const name of ['sora-2', 'sora-2-t2v', 'openai/sora-2']) {
      const error = refusal(name);
      expect([error.code, error.extra.param, error.message]).toEqual([
        'model_deactivated',
        'model',
        'sora-2-t2v was retired on 2026-09-24. Use veo-3.1-t2v, kling-3.0-t2v or seedance-2.0-t2v instead.',
      ]);
      expect(error.extra.details).toEqual({
        deactivated_at: '2026-09-24T00:00:00Z',
        alternatives: ['veo-3.1-t2v', 'kling-3.0-t2v', 'seedance-2.0-t2v'],
      });
    }
  });

  it('resolves a model until the instant of its retirement', () => {
    const clock = standingClock('2026-09-23T23:59:59.999Z');
    const before = makeCatalog({ clock });
    expect(resolveModelName(before, 'sora-2').model.id).toBe('sora-2-t2v');
    clock.moveTo('2026-09-24T00:00:00Z');
    expect(refusal('sora-2', before).code).toBe('model_deactivated');
  });

  it('distinguishes an unknown provider from one that does not serve the model', () => {
    const unknown = refusal('acme/kling-3.0-i2v');
    expect([unknown.code, unknown.extra.param]).toEqual(['provider_not_found', 'model']);
    expect(unknown.message).toContain(
      'There is no provider "acme". kling-3.0-i2v is served by kling, fal, replicate and wavespeed.',
    );
    const other = refusal('xai/kling-3.0-i2v');
    expect([other.code, other.extra.param]).toEqual(['provider_model_not_found', 'model']);
    expect(other.message).toBe(
      'The provider xai does not serve kling-3.0-i2v. Use kling/kling-3.0-i2v, fal/kling-3.0-i2v, replicate/kling-3.0-i2v or wavespeed/kling-3.0-i2v, or kling-3.0-i2v alone.',
    );
  });

  it('shows a hostile name shortened and without control characters', () => {
    const { message } = refusal(`a\u0000"\u202e${'b'.repeat(200)}`);
    for (const bad of ['\u0000', '\u202e']) expect(message).not.toContain(bad);
    expect(message).toContain('…"');
  });
});
