import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, videoModel } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { messagesModel } from '../messages-entry';
import { sttModel, ttsModel } from '../speech-entry';
import { perInputAndOutputSecond, perSecond } from '../price-table';

// Rendered on this machine, without credentials. The price is small but real, so that an app can be tested with quotes,
// holds and charges before it uses a provider.

const TARIFF = 'Set by this project: one cent a second.';
const rows = { '360p': '0.01', '480p': '0.01', '540p': '0.01', '720p': '0.01', '1080p': '0.01' };
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const shared = {
  family: 'sandbox',
  created: firstEdition,
  seconds: wholeSeconds(1, 15),
  resolutions: ['360p', '480p', '540p', '720p', '1080p'],
  defaultResolution: '720p',
  fps: { default: 24, min: 8, max: 30 },
  audio: 'toggle',
  parameters: ['generate_audio', 'seed', 'fps'],
  price: perSecond(TARIFF, rows),
} satisfies Partial<VideoModelEntry>;

const rendered = (modelName: string) => [{ providerId: 'sandbox', modelName, unmoderated: true as const }];

export const sandboxModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'sandbox-t2v',
    name: 'Sandbox text to video',
    description: 'Renders a real MP4 on this machine: the prompt, drawn into a moving picture. For trying the API.',
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    bindings: rendered('sandbox-t2v'),
  }),
  videoModel({
    ...shared,
    id: 'sandbox-i2v',
    name: 'Sandbox image to video',
    description: 'Renders a real MP4 on this machine that begins with the given image.',
    kind: 'i2v',
    defaultSeconds: 5,
    media: { images: { min: 1, max: 1 } },
    bindings: rendered('sandbox-i2v'),
  }),
  videoModel({
    ...shared,
    id: 'sandbox-r2v',
    name: 'Sandbox reference to video',
    description: 'Renders a real MP4 on this machine from up to nine reference images or three reference videos.',
    kind: 'r2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 0, max: 9 }, videos: { min: 0, max: 3 }, eitherRequired: true },
    bindings: rendered('sandbox-r2v'),
  }),
  videoModel({
    ...shared,
    id: 'sandbox-start-end',
    name: 'Sandbox first and last frame',
    description: 'Renders a real MP4 on this machine that leads from the first given image to the second.',
    kind: 'start-end',
    defaultSeconds: 5,
    media: { images: { min: 2, max: 2 } },
    bindings: rendered('sandbox-start-end'),
  }),
  videoModel({
    ...shared,
    id: 'sandbox-video-edit',
    name: 'Sandbox video edit',
    description:
      'Renders a real MP4 on this machine over the given video. Input and output seconds are billed, as with every edit.',
    kind: 'video-edit',
    audio: 'source',
    media: { sourceVideo: true },
    parameters: ['keep_original_sound', 'seed', 'fps'],
    price: perInputAndOutputSecond(TARIFF, rows),
    bindings: rendered('sandbox-video-edit'),
  }),
  ttsModel({
    id: 'sandbox-tts',
    name: 'Sandbox text to speech',
    description:
      'Speaks English on this machine, sentence by sentence, with a small classic synthesiser. For trying the API; the voices are plain.',
    family: 'sandbox',
    created: firstEdition,
    facts: {
      voices: [
        { name: 'slt', language: 'en', description: 'A woman, American.' },
        { name: 'rms', language: 'en', description: 'A man, American; the clearest one.' },
        { name: 'awb', language: 'en', description: 'A man, Scottish.' },
        { name: 'kal', language: 'en', description: 'A man, American, of the oldest kind.' },
      ],
      otherVoices: false,
      languages: ['en'],
      formats: [
        ...[8000, 16_000, 22_050, 24_000, 44_100, 48_000].flatMap((rate) => [`pcm_${rate}`, `pcm_f32le_${rate}`]),
        'pcm_mulaw_8000',
        'pcm_alaw_8000',
      ],
      speed: { min: 0.5, max: 2 },
      maxInputCharacters: 5_000,
      maxSessionSeconds: 3_600,
    },
    bindings: [
      {
        providerId: 'sandbox',
        modelName: 'sandbox-tts',
        price: {
          perMillionCharacters: '10',
          source: 'Set by this project: ten dollars for a million characters.',
          verified: true,
        },
      },
    ],
  }),
  sttModel({
    id: 'sandbox-stt',
    name: 'Sandbox speech to text',
    description:
      'Recognises English speech on this machine with the model Moonshine tiny. Times of words are approximate: spread over the utterance by length.',
    family: 'sandbox',
    created: firstEdition,
    facts: {
      encodings: ['pcm_s16le', 'pcm_f32le', 'pcm_mulaw', 'pcm_alaw'],
      sampleRatesHz: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
      languages: ['en'],
      withoutLanguage: { assumes: 'en' },
      wordTimes: 'approximate',
      maxSessionSeconds: 10_800,
    },
    bindings: [
      {
        providerId: 'sandbox',
        modelName: 'sandbox-stt',
        price: { perMinute: '0.006', meter: 'audio', source: 'Set by this project: $0.006 a minute.', verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'sandbox-text',
    name: 'Sandbox text',
    description:
      'A scripted model on this machine that follows no instructions: it streams prepared sentences, calls the first tool with values made from its schema, and says that it is scripted.',
    family: 'sandbox',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: {
      contextTokens: 200_000,
      maxOutputTokens: 64_000,
      tokenizer: { encoding: 'o200k', multiplier: 1 },
      sampling: true,
      forcedTools: true,
      prefill: true,
      thinkingTypes: ['enabled', 'adaptive', 'disabled'],
      efforts: ['low', 'medium', 'high'],
      structuredOutputs: true,
      imageMaxEdgePixels: 1568,
    },
    bindings: [
      {
        providerId: 'sandbox',
        modelName: 'sandbox-text',
        unmoderated: true,
        price: {
          input: '0.1',
          output: '0.4',
          source: 'Set by this project: $0.10 and $0.40 for a million tokens.',
          verified: true,
        },
      },
    ],
  }),
];
