import { frame, frames, inPixels, inSeconds, inSizes, references, text, withEach, type VendorOrders } from './order';

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
    ...(isVertex
      ? []
      : [
          { model: 'veo-3.1-lite-t2v', orders: usual(text) },
          { model: 'veo-3.1-lite-i2v', orders: usual(frame) },
          { model: 'veo-3.1-lite-start-end', orders: usual(frames) },
        ]),
  ];
};

export const googleAiStudio: VendorOrders = { provider: 'google-ai-studio', models: models(false) };
export const googleVertex: VendorOrders = { provider: 'google-vertex', models: models(true) };
