import type { OrderCase } from '../contract/request-cases';
import {
  CLIP,
  first,
  IMAGE,
  imageReference,
  last,
  LAST_IMAGE,
  otherReference,
  parameter,
  PROMPT,
  source,
  unshaped,
  videoReference,
  VOICE,
} from '../support/vendor-orders';

// What Runway must receive for an order, written by hand from the types of @runwayml/sdk 4.20.1.

const frames = [first, last];
const references = [imageReference, otherReference];

const startFrame = { promptImage: [{ uri: IMAGE, position: 'first' }] };
const bothFrames = {
  promptImage: [
    { uri: IMAGE, position: 'first' },
    { uri: LAST_IMAGE, position: 'last' },
  ],
};
const lengths = (...all: number[]) => all.map((seconds) => [{ seconds }, { duration: seconds }] as const);
const tiers = (...all: string[]) => all.map((tier) => [{ resolution: tier }, { resolution: tier }] as const);
const seeds = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
] as const;
const sound = [{ audio: true }, { audio: true }] as const;
const voice = [parameter('reference_voice', VOICE), { referenceAudio: [{ type: 'audio', uri: VOICE }] }] as const;
/** A size: the tier and the ratio of the order, and what Runway receives. */
const sizes = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).map(([size, ratio]) => {
    const [resolution = '', aspectRatio = ''] = size.split(' ');
    return [{ resolution, aspectRatio }, { ratio }] as const;
  });

const plain = { seconds: 5, resolution: '720p', aspectRatio: '16:9', audio: false } as const;
const body = { promptText: PROMPT, duration: 5, ratio: '1280:720' };

const gen4ImageChanges = [
  ...lengths(2, 10),
  ...seeds,
  ...sizes({
    '720p 9:16': '720:1280',
    '720p 4:3': '1104:832',
    '720p 1:1': '960:960',
    '720p 3:4': '832:1104',
    '720p 21:9': '1584:672',
  }),
];

const veoOrder = { ...plain, seconds: 8 } as const;
const veoBody = { ...body, duration: 8, audio: false };
const veoChanges = [
  ...lengths(4, 6),
  ...seeds,
  ...sizes({ '720p 9:16': '720:1280', '1080p 16:9': '1920:1080', '1080p 9:16': '1080:1920' }),
  sound,
  [parameter('negative_prompt', 'rain'), { negativePrompt: 'rain' }] as const,
];
const veo = (modelName: string, model: string): OrderCase[] => [
  {
    model: `${model}-t2v`,
    modelName,
    path: '/v1/text_to_video',
    order: { ...veoOrder, kind: 't2v' },
    body: { ...veoBody, model: modelName },
    changes: veoChanges,
  },
  {
    model: `${model}-i2v`,
    modelName,
    path: '/v1/image_to_video',
    order: { ...veoOrder, kind: 'i2v', media: [first] },
    body: { ...veoBody, model: modelName, ...startFrame },
    changes: veoChanges,
  },
  {
    model: `${model}-start-end`,
    modelName,
    path: '/v1/image_to_video',
    order: { ...veoOrder, kind: 'start-end', media: frames },
    body: { ...veoBody, model: modelName, ...bothFrames },
    changes: veoChanges,
  },
];

const seedance480p = {
  '480p 16:9': '864:496',
  '480p 9:16': '496:864',
  '480p 1:1': '640:640',
  '480p 4:3': '752:560',
  '480p 3:4': '560:752',
  '480p 21:9': '992:432',
};
const seedance720p = {
  '720p 9:16': '720:1280',
  '720p 1:1': '960:960',
  '720p 4:3': '1112:834',
  '720p 3:4': '834:1112',
  '720p 21:9': '1470:630',
};
const seedance1080p = {
  '1080p 16:9': '1920:1080',
  '1080p 9:16': '1080:1920',
  '1080p 1:1': '1440:1440',
  '1080p 4:3': '1664:1248',
  '1080p 3:4': '1248:1664',
  '1080p 21:9': '2206:946',
};
const seedance4k = {
  '4k 16:9': '3840:2160',
  '4k 9:16': '2160:3840',
  '4k 1:1': '3840:3840',
  '4k 4:3': '3840:2880',
  '4k 3:4': '2880:3840',
  '4k 21:9': '3840:1646',
};
const seedanceBody = { ...body, audio: false };
const seedanceChanges = [
  ...lengths(4, 15),
  ...seeds,
  sound,
  ...sizes({ ...seedance480p, ...seedance720p, ...seedance1080p, ...seedance4k }),
];
const smallSeedanceChanges = [...lengths(4, 15), ...seeds, sound, ...sizes({ ...seedance480p, ...seedance720p })];
/** The image of the tests is 720 by 1280. */
const shapedByImage = [
  [{ aspectRatio: 'adaptive' }, { ratio: '720:1280' }],
  [{ aspectRatio: 'adaptive', resolution: '480p' }, { ratio: '496:864' }],
] as const;

/** Of the smaller versions, and of the newer one. */
const seedance = (
  model: string,
  modelName: string,
  changes: OrderCase['changes'],
  ofImages: OrderCase['changes'],
): OrderCase[] => {
  const shared = { modelName, path: '/v1/text_to_video' };
  const sent = { ...seedanceBody, model: modelName };
  return [
    { ...shared, model: `${model}-t2v`, order: { ...plain, kind: 't2v' }, body: sent, changes },
    {
      ...shared,
      model: `${model}-i2v`,
      path: '/v1/image_to_video',
      order: { ...plain, kind: 'i2v', media: [first] },
      body: { ...sent, ...startFrame },
      changes: [...changes, ...ofImages],
    },
    {
      ...shared,
      model: `${model}-start-end`,
      path: '/v1/image_to_video',
      order: { ...plain, kind: 'start-end', media: frames },
      body: { ...sent, ...bothFrames },
      changes: [...changes, ...ofImages],
    },
    {
      ...shared,
      model: `${model}-r2v`,
      order: { ...plain, kind: 'r2v', media: references },
      body: { ...sent, references: [{ uri: IMAGE }, { uri: LAST_IMAGE }] },
      changes: [...changes, ...ofImages, voice],
    },
  ];
};
const newSeedance480p = { '480p 16:9': '854:480', '480p 9:16': '480:854' };

const wan3Sizes = sizes({
  '480p 16:9': '832:480',
  '480p 9:16': '480:832',
  '480p 1:1': '624:624',
  '480p 4:3': '720:544',
  '480p 3:4': '544:720',
  '720p 9:16': '720:1280',
  '720p 1:1': '960:960',
  '720p 4:3': '1104:832',
  '720p 3:4': '832:1104',
  '1080p 16:9': '1920:1080',
  '1080p 9:16': '1080:1920',
  '1080p 1:1': '1440:1440',
  '1080p 4:3': '1648:1248',
  '1080p 3:4': '1248:1648',
});
const wan3Text = (model: string, modelName: string, kind: 't2v' | 'r2v'): OrderCase => ({
  model: `${model}-${kind}`,
  modelName,
  path: '/v1/text_to_video',
  order: { ...plain, kind, media: kind === 'r2v' ? [...references, videoReference] : [] },
  body: {
    ...body,
    model: modelName,
    audio: false,
    ...(kind === 'r2v' && {
      references: [{ uri: IMAGE }, { uri: LAST_IMAGE }],
      referenceVideos: [{ type: 'video', uri: CLIP }],
    }),
  },
  changes: [...lengths(2, 30), sound, ...wan3Sizes, ...(kind === 'r2v' ? [voice] : [])],
});
const wan3Frames = (model: string, modelName: string, kind: 'i2v' | 'start-end'): OrderCase => ({
  model: `${model}-${kind}`,
  modelName,
  path: '/v1/image_to_video',
  order: { ...plain, ...unshaped, kind, media: kind === 'i2v' ? [first] : frames },
  body: { ...body, model: modelName, audio: false, ratio: 'auto_720p', ...(kind === 'i2v' ? startFrame : bothFrames) },
  changes: [
    ...lengths(2, 30),
    sound,
    [{ resolution: '480p' }, { ratio: 'auto_480p' }],
    [{ resolution: '1080p' }, { ratio: 'auto_1080p' }],
  ],
});
const wan3Cases = (
  [
    ['wan-3.0', 'wan3'],
    ['wan-3.0-prime', 'wan3_prime'],
  ] as const
).flatMap(([model, modelName]) => [
  wan3Text(model, modelName, 't2v'),
  wan3Text(model, modelName, 'r2v'),
  wan3Frames(model, modelName, 'i2v'),
  wan3Frames(model, modelName, 'start-end'),
]);

const omniChanges = sizes({
  '360p 16:9': '640:360',
  '360p 9:16': '360:640',
  '720p 9:16': '720:1280',
  '1080p 16:9': '1920:1080',
  '1080p 9:16': '1080:1920',
  '4k 16:9': '3840:2160',
  '4k 9:16': '2160:3840',
});
const omniBody = { ...body, model: 'gemini_omni_flash_1.1' };
const omniCase = (kind: OrderCase['order']['kind'], media: OrderCase['order']['media'], sent: object): OrderCase => ({
  model: `gemini-omni-1.1-flash-${kind}`,
  modelName: 'gemini_omni_flash_1.1',
  path: kind === 't2v' || kind === 'r2v' ? '/v1/text_to_video' : '/v1/image_to_video',
  order: { ...plain, audio: true, kind, ...(media && { media }) },
  body: { ...omniBody, ...sent },
  changes: [...lengths(3, 10), ...omniChanges],
});
const omniReferences = omniCase('r2v', references, { references: [{ uri: IMAGE }, { uri: LAST_IMAGE }] });
const omniEdit = (model: string, modelName: string, mode: object): OrderCase => ({
  model,
  modelName,
  path: '/v1/video_to_video',
  order: {
    ...plain,
    ...unshaped,
    audio: true,
    kind: 'video-edit',
    media: [source],
    inputMillis: 5_000,
    outputFollowsSource: true,
  },
  body: { model: modelName, promptText: PROMPT, videoUri: CLIP, ...mode },
  changes: [[{ media: [source, imageReference] }, { references: [{ uri: IMAGE }] }]],
});
const omniCases = [
  omniCase('t2v', [], {}),
  omniCase('i2v', [first], startFrame),
  omniCase('start-end', frames, bothFrames),
  {
    ...omniReferences,
    changes: [
      ...omniReferences.changes,
      [{ media: [...references, videoReference] }, { referenceVideos: [{ uri: CLIP }] }],
      [
        { media: [videoReference, videoReference] },
        { references: undefined, referenceVideos: [{ uri: CLIP }, { uri: CLIP }] },
      ],
    ],
  } satisfies OrderCase,
  omniEdit('gemini-omni-1.1-flash-video-edit', 'gemini_omni_flash_1.1', { mode: 'edit' }),
];

const firstOmniBody = { ...body, model: 'gemini_omni_flash' };
const firstOmniChanges = [...lengths(3, 10), ...sizes({ '720p 9:16': '720:1280' })];
const firstOmniCases: readonly OrderCase[] = [
  {
    model: 'gemini-omni-flash-t2v',
    modelName: 'gemini_omni_flash',
    path: '/v1/text_to_video',
    order: { ...plain, audio: true, kind: 't2v' },
    body: firstOmniBody,
    changes: firstOmniChanges,
  },
  {
    model: 'gemini-omni-flash-i2v',
    modelName: 'gemini_omni_flash',
    path: '/v1/image_to_video',
    order: { ...plain, audio: true, kind: 'i2v', media: [first] },
    body: { ...firstOmniBody, ...startFrame },
    changes: firstOmniChanges,
  },
  omniEdit('gemini-omni-flash-video-edit', 'gemini_omni_flash', {}),
];

const h3MaxOrder = { ...plain, ...unshaped, resolution: '768p', audio: true } as const;
const h3MaxBody = {
  model: 'h3_max',
  promptText: PROMPT,
  duration: 5,
  resolution: '768p',
  promptExpansionMode: 'disabled',
};
const h3MaxChanges: OrderCase['changes'] = [
  ...lengths(15),
  ...tiers('480p'),
  ...seeds,
  [parameter('prompt_extend', true), { promptExpansionMode: 'balanced' }],
  [parameter('prompt_extend', false), {}],
];

const hailuoOrder = { ...plain, ...unshaped, resolution: '768p', audio: true } as const;
const hailuoBody = { model: 'hailuo3', promptText: PROMPT, duration: 5, ratio: 'adaptive', resolution: '768p' };
const hailuoChanges = [...lengths(15), ...tiers('2k'), [{ aspectRatio: 'adaptive' }, {}] as const];

const grokOrder = { ...plain, audio: true } as const;
const grokBody = { model: 'grok_imagine_1_5', promptText: PROMPT, duration: 5, resolution: '720p' };
const grokShapes = ['9:16', '1:1', '4:3', '3:4', '3:2', '2:3'].map(
  (ratio) => [{ aspectRatio: ratio }, { ratio }] as const,
);

export const cases: readonly OrderCase[] = [
  {
    model: 'gen-4.5-t2v',
    modelName: 'gen4.5',
    path: '/v1/text_to_video',
    order: { ...plain, kind: 't2v' },
    body: { ...body, model: 'gen4.5' },
    changes: [...lengths(2, 10), ...seeds, ...sizes({ '720p 9:16': '720:1280' })],
  },
  {
    model: 'gen-4.5-i2v',
    modelName: 'gen4.5',
    path: '/v1/image_to_video',
    order: { ...plain, kind: 'i2v', media: [first] },
    body: { ...body, model: 'gen4.5', ...startFrame },
    changes: gen4ImageChanges,
  },
  {
    model: 'gen-4-turbo-i2v',
    modelName: 'gen4_turbo',
    path: '/v1/image_to_video',
    order: { ...plain, kind: 'i2v', media: [first] },
    body: { ...body, model: 'gen4_turbo', ...startFrame },
    changes: gen4ImageChanges,
  },
  {
    model: 'aleph-2-video-edit',
    modelName: 'aleph2',
    path: '/v1/video_to_video',
    order: {
      ...plain,
      ...unshaped,
      kind: 'video-edit',
      media: [source],
      inputMillis: 5_000,
      outputFollowsSource: true,
    },
    body: { model: 'aleph2', promptText: PROMPT, videoUri: CLIP },
    changes: [
      ...seeds,
      ...['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'].map(
        (ratio) => [{ aspectRatio: ratio }, { targetAspectRatio: ratio }] as const,
      ),
    ],
  },
  ...veo('veo3.1', 'veo-3.1'),
  ...veo('veo3.1_fast', 'veo-3.1-fast'),
  {
    model: 'seedance-2.0-t2v',
    modelName: 'seedance2',
    path: '/v1/text_to_video',
    order: { ...plain, kind: 't2v' },
    body: { ...seedanceBody, model: 'seedance2' },
    changes: seedanceChanges,
  },
  {
    model: 'seedance-2.0-i2v',
    modelName: 'seedance2',
    path: '/v1/image_to_video',
    order: { ...plain, kind: 'i2v', media: [first] },
    body: { ...seedanceBody, model: 'seedance2', ...startFrame },
    changes: [...seedanceChanges, ...shapedByImage],
  },
  {
    model: 'seedance-2.0-start-end',
    modelName: 'seedance2',
    path: '/v1/image_to_video',
    order: { ...plain, kind: 'start-end', media: frames },
    body: { ...seedanceBody, model: 'seedance2', ...bothFrames },
    changes: [...seedanceChanges, ...shapedByImage],
  },
  {
    model: 'seedance-2.0-r2v',
    modelName: 'seedance2',
    path: '/v1/text_to_video',
    order: { ...plain, kind: 'r2v', media: [...references, videoReference] },
    body: {
      ...seedanceBody,
      model: 'seedance2',
      references: [{ uri: IMAGE }, { uri: LAST_IMAGE }],
      referenceVideos: [{ type: 'video', uri: CLIP }],
    },
    changes: [
      ...seedanceChanges,
      ...shapedByImage,
      [{ media: references }, { referenceVideos: undefined }],
      [{ media: [videoReference] }, { references: undefined }],
      // A video has no shape that is known; the order is 16:9.
      [{ media: [videoReference], aspectRatio: 'adaptive' }, { references: undefined }],
      voice,
    ],
  },
  ...seedance('seedance-2.0-fast', 'seedance2_fast', smallSeedanceChanges, shapedByImage),
  ...seedance('seedance-2.0-mini', 'seedance2_mini', smallSeedanceChanges, shapedByImage),
  ...seedance(
    'seedance-2.5',
    'seedance2_5',
    [
      ...lengths(4, 30),
      ...seeds,
      sound,
      ...sizes({ ...seedance480p, ...newSeedance480p, ...seedance720p, ...seedance1080p }),
    ],
    [
      [{ aspectRatio: 'adaptive' }, { ratio: '720:1280' }],
      [{ aspectRatio: 'adaptive', resolution: '480p' }, { ratio: '480:854' }],
    ],
  ),
  {
    model: 'seedance-2.5-video-edit',
    modelName: 'seedance2_5',
    path: '/v1/video_to_video',
    order: {
      ...plain,
      ...unshaped,
      kind: 'video-edit',
      media: [source],
      inputMillis: 5_000,
      outputFollowsSource: true,
    },
    body: {
      model: 'seedance2_5',
      promptText: PROMPT,
      promptVideo: CLIP,
      mode: 'edit',
      duration: 'auto',
      audio: false,
    },
    changes: [
      ...seeds,
      sound,
      voice,
      [{ media: [source, imageReference, otherReference] }, { references: [{ uri: IMAGE }, { uri: LAST_IMAGE }] }],
    ],
  },
  ...wan3Cases,
  ...omniCases,
  ...firstOmniCases,
  {
    model: 'minimax-h3-max-t2v',
    modelName: 'h3_max',
    path: '/v1/text_to_video',
    order: { ...h3MaxOrder, aspectRatio: '16:9', kind: 't2v' },
    body: h3MaxBody,
    changes: h3MaxChanges,
  },
  {
    model: 'minimax-h3-max-i2v',
    modelName: 'h3_max',
    path: '/v1/image_to_video',
    order: { ...h3MaxOrder, kind: 'i2v', media: [first] },
    body: { ...h3MaxBody, ...startFrame },
    changes: h3MaxChanges,
  },
  {
    model: 'minimax-h3-max-start-end',
    modelName: 'h3_max',
    path: '/v1/image_to_video',
    order: { ...h3MaxOrder, kind: 'start-end', media: frames },
    body: { ...h3MaxBody, ...bothFrames },
    changes: h3MaxChanges,
  },
  ...['happyhorse-1.1-t2v', 'happyhorse-1.0-t2v'].map((model): OrderCase => ({
    model,
    modelName: 'happyhorse_1_0',
    path: '/v1/text_to_video',
    order: { ...plain, audio: true, kind: 't2v' },
    body: { ...body, model: 'happyhorse_1_0' },
    changes: [
      ...lengths(3, 15),
      ...sizes({
        '720p 9:16': '720:1280',
        '720p 1:1': '960:960',
        '720p 4:3': '1108:832',
        '720p 3:4': '832:1108',
        '1080p 16:9': '1920:1080',
        '1080p 9:16': '1080:1920',
        '1080p 1:1': '1440:1440',
        '1080p 4:3': '1662:1248',
        '1080p 3:4': '1248:1662',
      }),
    ],
  })),
  ...['happyhorse-1.1-i2v', 'happyhorse-1.0-i2v'].map((model): OrderCase => ({
    model,
    modelName: 'happyhorse_1_0',
    path: '/v1/image_to_video',
    order: { ...plain, ...unshaped, audio: true, kind: 'i2v', media: [first] },
    body: { model: 'happyhorse_1_0', promptText: PROMPT, duration: 5, resolution: '720p', ...startFrame },
    changes: [...lengths(3, 15), ...tiers('1080p')],
  })),
  {
    model: 'minimax-h3-t2v',
    modelName: 'hailuo3',
    path: '/v1/text_to_video',
    order: { ...plain, resolution: '768p', audio: true, kind: 't2v' },
    body: { model: 'hailuo3', promptText: PROMPT, duration: 5, ratio: '16:9', resolution: '768p' },
    changes: [
      ...lengths(15),
      ...tiers('2k'),
      ...['9:16', '1:1', '4:3', '3:4', '21:9'].map((ratio) => [{ aspectRatio: ratio }, { ratio }] as const),
    ],
  },
  {
    model: 'minimax-h3-i2v',
    modelName: 'hailuo3',
    path: '/v1/image_to_video',
    order: { ...hailuoOrder, kind: 'i2v', media: [first] },
    body: { ...hailuoBody, ...startFrame },
    changes: hailuoChanges,
  },
  {
    model: 'minimax-h3-start-end',
    modelName: 'hailuo3',
    path: '/v1/image_to_video',
    order: { ...hailuoOrder, kind: 'start-end', media: frames },
    body: { ...hailuoBody, ...bothFrames },
    changes: hailuoChanges,
  },
  {
    model: 'minimax-h3-r2v',
    modelName: 'hailuo3',
    path: '/v1/text_to_video',
    order: { ...plain, resolution: '768p', audio: true, kind: 'r2v', media: [...references, videoReference] },
    body: {
      model: 'hailuo3',
      promptText: PROMPT,
      duration: 5,
      ratio: '16:9',
      resolution: '768p',
      references: [{ uri: IMAGE }, { uri: LAST_IMAGE }],
      referenceVideos: [{ type: 'video', uri: CLIP }],
    },
    changes: [
      ...lengths(15),
      ...tiers('2k'),
      ...['9:16', '1:1', '4:3', '3:4', '21:9'].map((ratio) => [{ aspectRatio: ratio }, { ratio }] as const),
      voice,
    ],
  },
  {
    model: 'grok-imagine-1.5-t2v',
    modelName: 'grok_imagine_1_5',
    path: '/v1/text_to_video',
    order: { ...grokOrder, kind: 't2v' },
    body: { ...grokBody, ratio: '16:9' },
    changes: [...lengths(1, 15), ...tiers('480p', '1080p'), ...grokShapes],
  },
  {
    model: 'grok-imagine-1.5-r2v',
    modelName: 'grok_imagine_1_5',
    path: '/v1/text_to_video',
    order: { ...grokOrder, kind: 'r2v', media: references },
    body: { ...grokBody, ratio: '16:9', references: [{ uri: IMAGE }, { uri: LAST_IMAGE }] },
    changes: [...lengths(1, 10), ...tiers('480p'), ...grokShapes, voice],
  },
  ...['grok-imagine-i2v', 'grok-imagine-1.5-i2v'].map((model): OrderCase => ({
    model,
    modelName: 'grok_imagine_1_5',
    path: '/v1/image_to_video',
    order: { ...grokOrder, ...unshaped, kind: 'i2v', media: [first] },
    body: { ...grokBody, ...startFrame },
    changes: [...lengths(1, 15), ...tiers('480p', '1080p')],
  })),
];
