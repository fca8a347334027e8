import {
  edit,
  frame,
  frames,
  inPixels,
  inSeconds,
  inSizes,
  references,
  text,
  withEach,
  type VendorOrders,
} from './order';

// Veo, of the Gemini API and of Vertex AI. Reference: ai.google.dev/gemini-api/docs/video and
// cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation, 2026.

const ratios = ['16:9', '9:16'];
const usual = (order: typeof text) => [
  order,
  ...inSeconds(order, 4, 6, 8, '8'),
  ...inSizes(order, ['720p'], ratios),
  ...inSizes({ ...order, seconds: 8 }, ['1080p'], ratios),
  ...withEach(order, { negative_prompt: 'cartoon, drawing, low quality' }, { input_reference: null }),
];
const large = (order: typeof text) => inSizes({ ...order, seconds: 8 }, ['4k'], ratios);
const tooShort = {
  param: 'seconds',
  reason: 'The vendor makes 1080p and 4k only in videos of 8 seconds.',
};

const models = (isVertex: boolean) => {
  const own = (order: typeof text) => (isVertex ? withEach(order, { seed: 42 }, { generate_audio: false }) : []);
  return [
    {
      model: 'veo-3.1-t2v',
      orders: [...usual(text), ...large(text), ...own(text), ...inPixels(text, '1280x720 720x1280')],
      refused: [{ ...tooShort, order: { ...text, size: '1920x1080', seconds: 4 } }],
    },
    { model: 'veo-3.1-i2v', orders: [...usual(frame), ...large(frame), ...own(frame)] },
    { model: 'veo-3.1-start-end', orders: [...usual(frames), ...own(frames)] },
    {
      model: 'veo-3.1-r2v',
      orders: [...[1, 2, 3].map((count) => ({ ...references(count), seconds: 8 })), ...own(references(3))],
    },
    {
      model: 'veo-3.1-fast-t2v',
      orders: [...usual(text), ...large(text), ...own(text)],
      refused: [{ ...tooShort, order: { ...text, size: '1080x1920', seconds: 6 } }],
    },
    { model: 'veo-3.1-fast-i2v', orders: [...usual(frame), ...own(frame)] },
    { model: 'veo-3.1-fast-start-end', orders: [...usual(frames), ...own(frames)] },
    {
      model: 'veo-3.1-fast-r2v',
      orders: [
        ...[1, 2, 3].map((count) => ({ ...references(count), seconds: 8 })),
        ...inSizes(references(2), ['720p', '1080p', '4k'], ratios),
        ...own(references(3)),
      ],
    },
    { model: 'veo-3.1-lite-t2v', orders: [...usual(text), ...own(text)] },
    { model: 'veo-3.1-lite-i2v', orders: [...usual(frame), ...own(frame)] },
    { model: 'veo-3.1-lite-start-end', orders: [...usual(frames), ...own(frames)] },
  ];
};

/** Gemini Omni. Reference: ai.google.dev/gemini-api/docs/omni, November 2026. */
export const omni = (version: string, maxSeconds: number, counts = [1, 2, 5, 6]) => {
  const model = (kind: string) => `gemini-omni-${version}-flash-${kind}`;
  const tiers = ['360p', '720p', '1080p', '4k'];
  const made = (order: typeof text) => [
    order,
    ...inSeconds(order, 3, 5, '10', 10),
    ...inSizes(order, tiers, ratios),
    ...inPixels(order, '1280x720 720x1280 1920x1080'),
  ];
  return [
    {
      model: model('t2v'),
      orders: [...made(text), ...inSeconds(text, maxSeconds)],
      refused: [
        {
          order: { ...text, seconds: 20 },
          param: 'seconds',
          reason: `The vendor makes at most ${maxSeconds} seconds.`,
        },
      ],
    },
    { model: model('i2v'), orders: made(frame) },
    { model: model('start-end'), orders: made(frames) },
    {
      model: model('r2v'),
      orders: counts.flatMap((count) => [references(count), { ...references(count), seconds: 5 }]),
    },
  ];
};
const omniEdit = (version: string) => ({
  model: `gemini-omni-${version}-flash-video-edit`,
  orders: [edit(3), edit(8), edit(10), { ...edit(5), ...references(2) }],
});

export const googleAiStudio: VendorOrders = {
  provider: 'google-ai-studio',
  models: [...models(false), ...omni('1.2', 15), omniEdit('1.2'), ...omni('1.1', 10), omniEdit('1.1')],
};
export const googleVertex: VendorOrders = { provider: 'google-vertex', models: models(true) };
