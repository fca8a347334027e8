import type { ProviderDefinition } from '../domain/provider';
import { anthropic } from './anthropic/index';
import { sandbox } from './sandbox/index';

/** Every provider of the house, one line each; the only list. */
export const providerDefinitions: readonly ProviderDefinition[] = [sandbox, anthropic];

/** Serves every model in test mode. */
export const standInDefinition: ProviderDefinition = sandbox;
