import type { ProviderDefinition } from '../domain/provider';
import { alibaba } from './alibaba/index';
import { anthropic } from './anthropic/index';
import { assemblyai } from './assemblyai/index';
import { bytedance } from './bytedance/index';
import { cartesia } from './cartesia/index';
import { deepgram } from './deepgram/index';
import { deepseek } from './deepseek/index';
import { elevenlabs } from './elevenlabs/index';
import { fal } from './fal/index';
import { gladia } from './gladia/index';
import { googleAiStudio } from './google-ai-studio/index';
import { higgsfield } from './higgsfield/index';
import { googleVertex } from './google-vertex/index';
import { kling } from './kling/index';
import { luma } from './luma/index';
import { lumaDreamMachine } from './luma-dream-machine/index';
import { minimax } from './minimax/index';
import { moonshot } from './moonshot/index';
import { openai } from './openai/index';
import { openaiCompatible } from './openai-compatible/index';
import { openaiVideos } from './openai-videos/index';
import { pixverse } from './pixverse/index';
import { replicate } from './replicate/index';
import { runway } from './runway/index';
import { sandbox } from './sandbox/index';
import { soniox } from './soniox/index';
import { speechmatics } from './speechmatics/index';
import { stepfun } from './stepfun/index';
import { xai } from './xai/index';
import { vidu } from './vidu/index';
import { wavespeed } from './wavespeed/index';
import { xiaomi } from './xiaomi/index';
import { zai } from './zai/index';

/** Every provider. This is the only list of them. */
export const providerDefinitions: readonly ProviderDefinition[] = [
  sandbox,
  anthropic,
  deepseek,
  moonshot,
  zai,
  minimax,
  alibaba,
  xiaomi,
  stepfun,
  openaiCompatible,
  cartesia,
  deepgram,
  assemblyai,
  soniox,
  elevenlabs,
  gladia,
  speechmatics,
  openai,
  fal,
  pixverse,
  googleAiStudio,
  googleVertex,
  kling,
  xai,
  luma,
  lumaDreamMachine,
  replicate,
  vidu,
  bytedance,
  wavespeed,
  runway,
  higgsfield,
  openaiVideos,
];

/** The provider that serves every model in test mode. */
export const testProviderDefinition: ProviderDefinition = sandbox;
