import type { MessagesModel, VideoModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, secondEdition, videoModel, type VideoModelEntry } from '../model-entry';
import { perSecond, unverified } from '../price-table';

// The operator's own server may run any model, so the limits are generous. The price is nominal, so that usage shows in
// the account.

export const localModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'local-text',
    name: 'Local model',
    description: 'The model of the server at OPENAI_COMPATIBLE_BASE_URL, whatever it is. Its own limits hold.',
    family: 'local',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: {
      contextTokens: 131_072,
      maxOutputTokens: 32_768,
      tokenizer: { encoding: 'o200k', multiplier: 1.1 },
      sampling: true,
      forcedTools: true,
      prefill: false,
      thinkingTypes: ['enabled', 'adaptive', 'disabled'],
      efforts: ['low', 'medium', 'high'],
      structuredOutputs: true,
      imageMaxEdgePixels: 1_568,
    },
    bindings: [
      {
        providerId: 'openai-compatible',
        modelName: 'default',
        price: {
          input: '0.01',
          output: '0.01',
          source: 'Set by this project: one cent for a million tokens.',
          verified: true,
        },
      },
    ],
  }),
];

// What the server at OPENAI_VIDEOS_BASE_URL makes, and for which price, is stated by the operator in the variables of the
// provider, which narrows these facts to it.

const video = {
  family: 'local',
  created: secondEdition,
  seconds: wholeSeconds(1, 60),
  defaultSeconds: 4,
  resolutions: ['480p', '720p', '1080p', '4k'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
  fps: { default: 24 },
  audio: 'always',
  parameters: [],
  price: unverified(
    perSecond('UNVERIFIED: the operator states the price in OPENAI_VIDEOS_PRICE.', {
      '480p': '0.1',
      '720p': '0.1',
      '1080p': '0.1',
      '4k': '0.1',
    }),
  ),
  bindings: [{ providerId: 'openai-videos', modelName: 'default' }],
} satisfies Partial<VideoModelEntry>;

export const localVideoModels: readonly VideoModel[] = [
  videoModel({
    ...video,
    id: 'local-video-t2v',
    name: 'Local model, text to video',
    aliases: ['local-video'],
    description: 'The video model of the server at OPENAI_VIDEOS_BASE_URL, whatever it is.',
    kind: 't2v',
  }),
  videoModel({
    ...video,
    id: 'local-video-i2v',
    name: 'Local model, image to video',
    description: 'The model of the same server for videos that begin with a given image.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
  }),
];
