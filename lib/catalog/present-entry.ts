import type { CatalogEntry } from '../contract/models';
import { providersOf } from '../domain/binding';
import type { Model } from '../domain/model';
import type { Catalog } from './catalog';
import { requiredMedia } from './present-media';
import { priceSpan } from './price-span';

// A model as a row of the console's catalog: only the fields that people search, filter, sort and compare by, because
// all rows are sent with the page.

export function presentCatalogEntry(catalog: Catalog, model: Model): CatalogEntry {
  return {
    id: model.id,
    name: model.name,
    aliases: model.aliases,
    description: model.description,
    family: model.family,
    operation: model.capability === 'video' ? model.video.kind : model.capability,
    input: model.inputModalities,
    output: model.outputModalities,
    stability: model.stability,
    created: model.created,
    providers: providersOf(model.bindings).map((id) => {
      const bindings = catalog.bindings(model, id);
      return {
        id,
        available: bindings.some((binding) => catalog.available(model, binding)),
        implemented: bindings.some((binding) => catalog.isImplemented(model, binding)),
      };
    }),
    available: catalog.available(model),
    implemented: catalog.isImplemented(model),
    price: priceSpan(model) ?? null,
    ...(model.deprecatedAt !== undefined && { deprecatedAt: model.deprecatedAt }),
    ...(model.deactivatedAt !== undefined && { deactivatedAt: model.deactivatedAt }),
    active: catalog.isActive(model),
    ...presentFacts(model),
  };
}

function presentFacts(model: Model): Pick<CatalogEntry, 'video' | 'messages' | 'speech'> {
  switch (model.capability) {
    case 'video': {
      const { seconds, resolutions, aspectRatios, audio, fps, parameters } = model.video;
      return {
        video: {
          seconds,
          resolutions,
          aspectRatios,
          audio,
          fps: fps.default,
          media: requiredMedia(model.video),
          parameters,
        },
      };
    }
    case 'messages': {
      const { contextTokens, maxOutputTokens, thinkingTypes, structuredOutputs } = model.messages;
      return {
        messages: {
          contextTokens,
          maxOutputTokens,
          thinks: thinkingTypes.some((type) => type !== 'disabled'),
          structuredOutputs,
        },
      };
    }
    case 'stt':
      return { speech: { languages: model.stt.languages.length, maxSessionSeconds: model.stt.maxSessionSeconds } };
    case 'tts': {
      const { languages, voices, otherVoices, maxSessionSeconds } = model.tts;
      return { speech: { languages: languages.length, voices: voices.length, otherVoices, maxSessionSeconds } };
    }
  }
}
