import type { z } from 'zod';
import type { RequestQuote, QuoteJson } from '../quotes';
import type { quoteRequestSchema } from '../quote-request';
import type {
  DeletedVideoJson,
  FavoriteJson,
  FoundVideoPageJson,
  SubmittedVideoJson,
  VideoDetails,
  VideoJson,
  VideoPageJson,
  videoRequestSchema,
} from '../videos';
import { deliveryExample } from './webhooks';

type VideoRequest = z.input<typeof videoRequestSchema>;

const id = 'video_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b';
const size = '1280x720';
const provider = 'sandbox';

export const videoRequests: Readonly<Record<string, VideoRequest>> = {
  text: { model: 'sandbox-t2v', prompt: 'A lighthouse in fog, slow push in', seconds: 5, size },
  image: {
    model: 'sandbox-i2v',
    prompt: 'The waves begin to move',
    image_url: 'https://example.com/lighthouse.png',
    webhook: 'https://example.com/videos/finished',
  },
};
export const storedVideoRequestExample: VideoRequest = videoRequests['text'] ?? { model: '', prompt: '' };

export const submittedVideoExample: SubmittedVideoJson = {
  id,
  object: 'video',
  status: 'queued',
  progress: 0,
  model: 'sandbox-t2v',
  seconds: '5',
  size,
  usage: { duration_seconds: 5 },
  cost: 0.05,
  mode: 'test',
  created_at: 1_795_480_000,
};

export const videoExample: VideoJson = {
  ...submittedVideoExample,
  status: 'completed',
  progress: 100,
  provider_job_id: 'sbx_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b',
  video_url: `https://patchbay.example.com/v1/videos/${id}/content?expires=1798072003&signature=k3J…`,
  format: 'mp4',
  duration_seconds: 5,
  width: 1280,
  height: 720,
  fps: 24,
  completed_at: 1_795_480_003,
  expires_at: 1_798_072_003,
};

export const failedVideoExample: VideoJson = {
  ...submittedVideoExample,
  status: 'failed',
  format: 'mp4',
  cost: 0,
  completed_at: 1_795_480_003,
  error: { message: 'The provider refused the prompt. You were not charged.', code: 'content_policy_violation' },
};
export const cancelledVideoExample: VideoJson = {
  ...failedVideoExample,
  error: { message: 'The video was cancelled. You were not charged.', code: 'cancelled' },
};

export const videoPageExample: VideoPageJson = {
  object: 'list',
  data: [videoExample],
  first_id: id,
  last_id: id,
  has_more: false,
};
export const favoriteExample: FavoriteJson = { id, object: 'video.favorite', favorite: true };
export const deletedVideoExample: DeletedVideoJson = { id, object: 'video.deleted', deleted: true };

const found = {
  request_id: 'req_0f6c8b1e5d3a4b7c9e2f1a0d8c7b6a59',
  key: { id: 'key_1a2b3c4d5e6f708192a3b4c5d6e7f809', name: 'Backend' },
};

export const foundVideoPageExample: FoundVideoPageJson = {
  object: 'list',
  data: [
    {
      ...videoExample,
      ...found,
      prompt: 'A lighthouse in fog, slow push in',
      provider,
      duration_ms: 2_600,
      favorite: false,
    },
  ],
  first_id: id,
  last_id: id,
  has_more: false,
};

export const priceExample: QuoteJson = {
  currency: 'USD',
  lines: [{ label: '5 s of output at 720p', unit_price: '0.01', quantity: '5', amount: '0.05' }],
  total: '0.05',
};

export const videoDetailsExample: VideoDetails = {
  ...videoExample,
  ...found,
  candidates: [provider],
  cancellable: false,
  timeline: [
    { event: 'accepted', at: 1_795_480_000.12, request_id: found.request_id },
    { event: 'submitted', at: 1_795_480_000.2, attempt: 1, provider, upstream_model: 'sandbox-t2v' },
    { event: 'started', at: 1_795_480_000.25, provider, provider_job_id: 'sbx_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b' },
    { event: 'completed', at: 1_795_480_003.4 },
  ],
  attempts: [
    {
      attempt: 1,
      provider,
      upstream_model: 'sandbox-t2v',
      outcome: 'accepted',
      started_at: 1_795_480_000.2,
      duration_ms: 48,
      sent: { model: 'sandbox-t2v', prompt: 'A lighthouse in fog, slow push in', seconds: 5 },
    },
  ],
  request: { model: 'sandbox-t2v', prompt: 'A lighthouse in fog, slow push in', seconds: 5, size, bgm: true },
  ignored: [{ name: 'bgm', reason: 'The model has no such parameter.' }],
  price: {
    quoted: priceExample,
    held: { amount: '0.05', state: 'captured' },
    charged: '0.05',
    ledger: [
      {
        id: 'tr_4d1c3b5e7a9f0b2d4c6e8a0f1b3d5c7e',
        kind: 'hold',
        at: 1_795_480_000.12,
        available: '-0.05',
        held: '0.05',
        charged: '0',
      },
    ],
  },
  webhook_deliveries: [deliveryExample],
};

type QuoteRequest = z.input<typeof quoteRequestSchema>;
export const quoteRequests: Readonly<Record<string, QuoteRequest>> = {
  video: { model: 'sandbox-t2v', seconds: 5, size },
  message: { model: 'sandbox-text', max_tokens: 200, messages: [{ role: 'user', content: 'Name three rivers.' }] },
  tokens: { model: 'sandbox-text', input_tokens: 1_000, output_tokens: 200 },
  speech: { model: 'sandbox-tts', characters: 500 },
};
export const quoteExample: RequestQuote = {
  object: 'quote',
  model: 'sandbox-t2v',
  provider,
  ...priceExample,
};
