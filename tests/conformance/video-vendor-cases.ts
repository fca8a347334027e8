import type { ProviderDefinition } from '../../lib/domain/provider';
import { alibaba } from '../../lib/providers/alibaba/index';
import { bytedance } from '../../lib/providers/bytedance/index';
import { fal } from '../../lib/providers/fal/index';
import { googleAiStudio } from '../../lib/providers/google-ai-studio/index';
import { higgsfield } from '../../lib/providers/higgsfield/index';
import { googleVertex } from '../../lib/providers/google-vertex/index';
import { kling } from '../../lib/providers/kling/index';
import { luma } from '../../lib/providers/luma/index';
import { lumaDreamMachine } from '../../lib/providers/luma-dream-machine/index';
import { minimax } from '../../lib/providers/minimax/index';
import { openaiVideos } from '../../lib/providers/openai-videos/index';
import { pixverse } from '../../lib/providers/pixverse/index';
import { xai } from '../../lib/providers/xai/index';
import { replicate } from '../../lib/providers/replicate/index';
import { ALIBABA_KEY, startFakeAlibaba, SUBMIT_PATHS as ALIBABA_SUBMITS } from '../support/upstreams/fake-alibaba';
import { vidu } from '../../lib/providers/vidu/index';
import { wavespeed } from '../../lib/providers/wavespeed/index';
import { BYTEDANCE_KEY, startFakeBytedance } from '../support/upstreams/fake-bytedance';
import { runway } from '../../lib/providers/runway/index';
import { PICTURE } from '../support/media-bytes';
import { FAL_KEY, signFalCallback, startFakeFal } from '../support/upstreams/fake-fal';
import { KEY as GOOGLE_KEY, startFakeGoogleAiStudio } from '../support/upstreams/fake-google-ai-studio';
import {
  HIGGSFIELD_KEY,
  HIGGSFIELD_SECRET,
  signHiggsfieldCallback,
  startFakeHiggsfield,
} from '../support/upstreams/fake-higgsfield';
import { REGION, serviceAccount, startFakeGoogleVertex } from '../support/upstreams/fake-google-vertex';
import { KLING_API_KEY, startFakeKling } from '../support/upstreams/fake-kling';
import { LUMA_KEY, startFakeLuma } from '../support/upstreams/fake-luma';
import { DREAM_MACHINE_KEY, startFakeLumaDreamMachine } from '../support/upstreams/fake-luma-dream-machine';
import { MINIMAX_KEY, startFakeMinimax } from '../support/upstreams/fake-minimax';
import {
  IMAGE_MODEL,
  KEY as OPENAI_VIDEOS_KEY,
  startFakeOpenaiVideos,
  TEXT_MODEL,
} from '../support/upstreams/fake-openai-videos';
import { PIXVERSE_KEY, startFakePixverse } from '../support/upstreams/fake-pixverse';
import { REPLICATE_KEY, signReplicateCallback, startFakeReplicate } from '../support/upstreams/fake-replicate';
import { signViduCallback, startFakeVidu, VIDU_KEY } from '../support/upstreams/fake-vidu';
import { RUNWAY_KEY, startFakeRunway } from '../support/upstreams/fake-runway';
import type { FakeVideoVendor, SignCallback, VendorRequest } from '../support/upstreams/fake-video-vendor';
import { startFakeXai, XAI_KEY } from '../support/upstreams/fake-xai';
import { startFakeWavespeed, WAVESPEED_KEY } from '../support/upstreams/fake-wavespeed';

/** A video vendor for `video-vendors.test.ts`. */
export interface VendorCase {
  readonly definition: ProviderDefinition;
  startVendor(): Promise<FakeVideoVendor>;
  /** The variables that lead to the fake. */
  env(vendor: FakeVideoVendor): Readonly<Record<string, string>>;
  /** A model of the catalog that the vendor serves: text to video, if it has one. */
  readonly model: string;
  /** What its requests need beside a prompt. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Is this a request that can begin paid work? */
  isSubmit(request: VendorRequest): boolean;
  /** Is this the request that cancels a video? Absent if the vendor cannot cancel. */
  isCancel?(request: VendorRequest): boolean;
  /** Does the vendor say of the scenario `unavailable` that it has begun nothing? Otherwise it may have begun. */
  readonly refusesWhenUnavailable: boolean;
  /** Does the vendor find a video by our id if the answer to its submit was lost? */
  readonly findsLostSubmits?: true;
  /** Is a submit whose access token was refused sent once more with another one? */
  readonly renewsToken?: true;
  /** Is content refused by a job that fails, and not by its submit? */
  readonly moderatesLater?: true;
  /** Does it call a URL when a video has changed? */
  readonly callsBack?: true;
  /** The headers of its call to this URL, if it signs its calls. */
  readonly signCallback?: SignCallback;
}

const isSubmitToGemini = ({ method, path }: VendorRequest) =>
  method === 'POST' && (path.endsWith(':predictLongRunning') || path.endsWith('/interactions'));

export const vendorCases: readonly VendorCase[] = [
  {
    definition: pixverse,
    startVendor: startFakePixverse,
    env: ({ baseUrl }) => ({ PIXVERSE_API_KEY: PIXVERSE_KEY, PIXVERSE_BASE_URL: baseUrl }),
    model: 'pixverse-v6-t2v',
    isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/generate'),
    refusesWhenUnavailable: true,
  },
  {
    definition: fal,
    startVendor: startFakeFal,
    env: ({ baseUrl }) => ({ FAL_API_KEY: FAL_KEY, FAL_BASE_URL: baseUrl, FAL_KEYS_BASE_URL: baseUrl }),
    model: 'wan-2.7-t2v',
    isSubmit: ({ method }) => method === 'POST',
    isCancel: ({ method }) => method === 'PUT',
    refusesWhenUnavailable: true,
    callsBack: true,
    signCallback: signFalCallback,
  },
  {
    definition: googleAiStudio,
    startVendor: startFakeGoogleAiStudio,
    env: ({ baseUrl }) => ({ GOOGLE_AI_STUDIO_API_KEY: GOOGLE_KEY, GOOGLE_AI_STUDIO_BASE_URL: baseUrl }),
    model: 'veo-3.1-t2v',
    isSubmit: isSubmitToGemini,
    refusesWhenUnavailable: true,
  },
  // The same key, with its other way to make videos.
  {
    definition: googleAiStudio,
    startVendor: startFakeGoogleAiStudio,
    env: ({ baseUrl }) => ({ GOOGLE_AI_STUDIO_API_KEY: GOOGLE_KEY, GOOGLE_AI_STUDIO_BASE_URL: baseUrl }),
    model: 'gemini-omni-1.2-flash-t2v',
    isSubmit: isSubmitToGemini,
    isCancel: ({ path }) => path.endsWith('/cancel'),
    refusesWhenUnavailable: true,
  },
  {
    definition: googleVertex,
    startVendor: startFakeGoogleVertex,
    env: (vendor) => ({
      GOOGLE_VERTEX_SERVICE_ACCOUNT: serviceAccount(vendor),
      GOOGLE_VERTEX_REGION: REGION,
      GOOGLE_VERTEX_STORAGE_URI: 'gs://videos-of-a/patchbay/',
      GOOGLE_VERTEX_BASE_URL: vendor.baseUrl,
      GOOGLE_VERTEX_STORAGE_BASE_URL: vendor.baseUrl,
    }),
    model: 'veo-3.1-t2v',
    isSubmit: ({ method, path }) => method === 'POST' && path.endsWith(':predictLongRunning'),
    refusesWhenUnavailable: true,
    renewsToken: true,
  },
  {
    definition: kling,
    startVendor: startFakeKling,
    env: ({ baseUrl }) => ({ KLING_API_KEY, KLING_BASE_URL: baseUrl }),
    model: 'kling-3.0-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: true,
    findsLostSubmits: true,
    callsBack: true,
  },
  {
    definition: xai,
    startVendor: startFakeXai,
    env: ({ baseUrl }) => ({ XAI_API_KEY: XAI_KEY, XAI_BASE_URL: `${baseUrl}/v1` }),
    model: 'grok-imagine-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: true,
  },
  {
    definition: luma,
    startVendor: startFakeLuma,
    env: ({ baseUrl }) => ({ LUMA_API_KEY: LUMA_KEY, LUMA_BASE_URL: `${baseUrl}/v1` }),
    model: 'ray-3.2-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: true,
  },
  {
    definition: lumaDreamMachine,
    startVendor: startFakeLumaDreamMachine,
    env: ({ baseUrl }) => ({
      LUMA_DREAM_MACHINE_API_KEY: DREAM_MACHINE_KEY,
      LUMA_DREAM_MACHINE_BASE_URL: `${baseUrl}/dream-machine/v1`,
    }),
    model: 'ray-2-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: false,
    callsBack: true,
  },
  {
    definition: alibaba,
    startVendor: startFakeAlibaba,
    env: ({ baseUrl }) => ({ ALIBABA_API_KEY: ALIBABA_KEY, ALIBABA_BASE_URL: baseUrl }),
    model: 'wan-2.7-t2v',
    isSubmit: ({ path }) => ALIBABA_SUBMITS.includes(path),
    isCancel: ({ path }) => path.endsWith('/cancel'),
    refusesWhenUnavailable: true,
  },
  {
    definition: replicate,
    startVendor: startFakeReplicate,
    env: ({ baseUrl }) => ({ REPLICATE_API_KEY: REPLICATE_KEY, REPLICATE_BASE_URL: baseUrl }),
    model: 'kling-3.0-t2v',
    isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/predictions'),
    isCancel: ({ path }) => path.endsWith('/cancel'),
    refusesWhenUnavailable: true,
    callsBack: true,
    signCallback: signReplicateCallback,
  },
  {
    definition: minimax,
    startVendor: startFakeMinimax,
    env: ({ baseUrl }) => ({ MINIMAX_API_KEY: MINIMAX_KEY, MINIMAX_BASE_URL: baseUrl }),
    model: 'minimax-h3-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: true,
    callsBack: true,
  },
  // The same vendor with the first version of its API.
  {
    definition: minimax,
    startVendor: startFakeMinimax,
    env: ({ baseUrl }) => ({ MINIMAX_API_KEY: MINIMAX_KEY, MINIMAX_BASE_URL: baseUrl }),
    model: 'hailuo-2.3-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: true,
  },
  {
    definition: vidu,
    startVendor: startFakeVidu,
    env: ({ baseUrl }) => ({ VIDU_API_KEY: VIDU_KEY, VIDU_BASE_URL: baseUrl }),
    model: 'vidu-q3-pro-t2v',
    isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('2video'),
    isCancel: ({ path }) => path.endsWith('/cancel'),
    refusesWhenUnavailable: true,
    callsBack: true,
    signCallback: signViduCallback,
  },
  {
    definition: bytedance,
    startVendor: startFakeBytedance,
    env: ({ baseUrl }) => ({ BYTEDANCE_API_KEY: BYTEDANCE_KEY, BYTEDANCE_BASE_URL: `${baseUrl}/api/v3` }),
    model: 'seedance-2.0-t2v',
    isSubmit: ({ method }) => method === 'POST',
    isCancel: ({ method }) => method === 'DELETE',
    refusesWhenUnavailable: true,
    callsBack: true,
  },
  {
    definition: wavespeed,
    startVendor: startFakeWavespeed,
    env: ({ baseUrl }) => ({ WAVESPEED_API_KEY: WAVESPEED_KEY, WAVESPEED_BASE_URL: baseUrl }),
    model: 'vidu-q2-start-end',
    fields: { image_list: [PICTURE, PICTURE] },
    isSubmit: ({ method, path }) => method === 'POST' && /^\/api\/v3\/(?!media\/)/.test(path),
    refusesWhenUnavailable: true,
  },
  {
    definition: runway,
    startVendor: startFakeRunway,
    env: ({ baseUrl }) => ({ RUNWAY_API_KEY: RUNWAY_KEY, RUNWAY_BASE_URL: baseUrl }),
    model: 'gen-4.5-t2v',
    isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('_to_video'),
    isCancel: ({ method }) => method === 'DELETE',
    refusesWhenUnavailable: true,
    moderatesLater: true,
  },
  {
    definition: higgsfield,
    startVendor: startFakeHiggsfield,
    env: ({ baseUrl }) => ({
      HIGGSFIELD_API_KEY: HIGGSFIELD_KEY,
      HIGGSFIELD_API_SECRET: HIGGSFIELD_SECRET,
      HIGGSFIELD_BASE_URL: baseUrl,
    }),
    model: 'higgsfield-dop-i2v',
    fields: { image_url: PICTURE },
    isSubmit: ({ method, path }) => method === 'POST' && path.startsWith('/v1/image2video/'),
    refusesWhenUnavailable: false,
    callsBack: true,
    signCallback: signHiggsfieldCallback,
    moderatesLater: true,
  },
  {
    definition: openaiVideos,
    startVendor: startFakeOpenaiVideos,
    env: ({ baseUrl }) => ({
      OPENAI_VIDEOS_BASE_URL: `${baseUrl}/v1`,
      OPENAI_VIDEOS_API_KEY: OPENAI_VIDEOS_KEY,
      OPENAI_VIDEOS_MODEL: TEXT_MODEL,
      OPENAI_VIDEOS_IMAGE_MODEL: IMAGE_MODEL,
      OPENAI_VIDEOS_PRICE: '0.05',
    }),
    model: 'local-video-t2v',
    isSubmit: ({ method }) => method === 'POST',
    refusesWhenUnavailable: true,
  },
];

export function caseOf(providerId: string): VendorCase {
  const found = vendorCases.find(({ definition }) => definition.id === providerId);
  if (!found) throw new Error(`There is no case of ${providerId}.`);
  return found;
}
