import type { ProviderDefinition } from '../domain/provider';
import { assemblyai } from './assemblyai/index';
import { cartesia } from './cartesia/index';
import { deepgram } from './deepgram/index';
import { elevenlabs } from './elevenlabs/index';
import { gladia } from './gladia/index';
import { openai } from './openai/index';
import { sandbox } from './sandbox/index';
import { soniox } from './soniox/index';
import { speechmatics } from './speechmatics/index';

/** Every provider of the house, one line each; the only list. */
export const providerDefinitions: readonly ProviderDefinition[] = [sandbox, cartesia, deepgram, assemblyai, soniox, elevenlabs, gladia, speechmatics, openai];

/** Serves every model in test mode. */
export const standInDefinition: ProviderDefinition = sandbox;
