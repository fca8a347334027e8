import type { ReactNode } from 'react';
import type { Model } from '../../../lib/domain/model';
import { mediaCounts, optionalMedia, requiredMedia } from '../../../lib/catalog/present-media';
import { audioWords, modalityWords, tokenWords } from './entry-words';
import { secondsWords } from '../components/video-form/seconds-words';

/** The main facts of a model. */
export function ModelFacts({ model }: { readonly model: Model }) {
  const facts = factsOf(model);
  // Facts that would not fit in one row are laid out in two rows of equal length.
  const width = facts.length > 7 ? 'basis-36 sm:basis-60' : 'basis-36';
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-xl border border-line bg-line">
      {facts.map(([title, value]) => (
        <div key={title} className={`min-w-0 grow bg-surface px-4 py-3 ${width}`}>
          <dt className="text-xs text-muted">{title}</dt>
          <dd className="mt-0.5 text-sm font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(model: Model): readonly (readonly [string, ReactNode])[] {
  const modalities = [
    ['Input', model.inputModalities.map((each) => modalityWords[each] ?? each).join(', ')],
    ['Output', model.outputModalities.map((each) => modalityWords[each] ?? each).join(', ')],
  ] as const;
  switch (model.capability) {
    case 'video': {
      const { video } = model;
      const required = requiredMedia(video).filter((field) => field !== 'input_seconds');
      return [
        ...modalities,
        ['Length', secondsWords(video.seconds)],
        ['Resolution', video.resolutions.join(', ')],
        ['Audio', audioWords[video.audio]],
        ['Required', required.length === 0 ? 'A prompt' : `A prompt and ${mediaWords(model, required)}`],
        ...(optionalMedia(video).length > 0 ? [['Optional', mediaWords(model, optionalMedia(video))] as const] : []),
      ];
    }
    case 'messages': {
      const { messages } = model;
      return [
        ...modalities,
        ['Context', `${tokenWords(messages.contextTokens)} tokens`],
        ['Max output', `${tokenWords(messages.maxOutputTokens)} tokens`],
        ['Thinking', messages.thinkingTypes.join(', ') || 'No'],
        ['Effort', messages.efforts.join(', ') || 'Not configurable'],
        ['Sampling', messages.sampling ? 'temperature, top_p, top_k' : 'Not configurable'],
        ['Structured output', messages.structuredOutputs ? 'Yes' : 'No'],
      ];
    }
    case 'stt': {
      const { stt } = model;
      return [
        ...modalities,
        ['Languages', stt.languages.length],
        [
          'If no language is set',
          'detects' in stt.withoutLanguage ? 'Detected automatically' : `Assumes ${stt.withoutLanguage.assumes}`,
        ],
        ['Word timestamps', stt.wordTimes === 'exact' ? 'Yes' : stt.wordTimes === 'approximate' ? 'Approximate' : 'No'],
        ['Max session', `${Math.round(stt.maxSessionSeconds / 60)} min`],
        ['Sample rates', stt.sampleRatesHz.map((rate) => `${rate / 1000}`).join(', ') + ' kHz'],
      ];
    }
    case 'tts': {
      const { tts } = model;
      return [
        ...modalities,
        [
          'Voices',
          tts.otherVoices ? `${tts.voices.length} listed, plus all others of the provider` : tts.voices.length,
        ],
        ['Languages', tts.languages.length],
        ['Speed', tts.speed ? `${tts.speed.min} to ${tts.speed.max}` : 'Not configurable'],
        ['Max text', `${tts.maxInputCharacters.toLocaleString('en')} characters`],
        ['Max session', `${Math.round(tts.maxSessionSeconds / 60)} min`],
      ];
    }
  }
}

const FIELD_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  image_url: ['image', 'images'],
  image_list: ['image', 'images'],
  video_list: ['video', 'videos'],
  video_url: ['video', 'videos'],
};

/** Describes the required media: `2 to 9 images`, or `at least one reference: up to 9 images and up to 3 videos`. */
function mediaWords(model: Extract<Model, { capability: 'video' }>, fields: readonly string[]): string {
  const counts = mediaCounts(model.video);
  const isEither = fields.some((field) => field.includes('|'));
  const counted = fields
    .flatMap((field) => field.split('|'))
    .map((field) => {
      const { min, max } = counts[field] ?? { min: 1, max: 1 };
      const [one, many] = FIELD_WORDS[field] ?? [field, field];
      if (max === 1) return `one ${one}`;
      return min === max ? `${max} ${many}` : `${min === 0 ? 'up to' : `${min} to`} ${max} ${many}`;
    });
  return isEither ? `at least one reference: ${counted.join(' and ')}` : counted.join(', ');
}
