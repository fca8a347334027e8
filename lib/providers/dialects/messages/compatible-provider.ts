import type { Provider, ProviderDefinition } from '../../../domain/provider';
import { findBaseUrl } from '../../kit/http/base-url';
import { createUpstream } from '../../kit/http/http';
import { packToolId } from '../../kit/messages/tool-id';
import { compatibleRequest, compatibleRules, type CompatibleFacts } from './compatible-request';
import { createMessagesProvider } from './provider';

/** A vendor whose upstream imitates the dialect: its base URL, its facts, and the meaning of its error codes. */
export interface CompatibleVendor extends CompatibleFacts {
  readonly name: string;
  /** Prefix of its environment variables: `DEEPSEEK` for `DEEPSEEK_API_KEY`. */
  readonly variables: string;
  readonly baseUrl: string;
  /** Path below the base URL, such as `/anthropic/v1/messages`. */
  readonly path: string;
  readonly credential: 'x-api-key' | 'bearer';
  readonly statusOfCode?: Readonly<Record<string, number>>;
}

/** Returns the provider definition of such a vendor that offers only messages. */
export function compatibleDefinition(vendor: CompatibleVendor): ProviderDefinition {
  const { variables, baseUrl } = vendor;
  const messageRules = compatibleRules(vendor);
  return {
    id: vendor.providerId,
    name: vendor.name,
    capabilities: ['messages'],
    settings: [
      { name: `${variables}_API_KEY`, required: true, description: `API key of ${vendor.name}, for text models.` },
      {
        name: `${variables}_BASE_URL`,
        required: false,
        description: `Overrides the API base URL (default ${baseUrl}).`,
      },
    ],
    messageRules,
    create({ settings, clock, thinkingSigner }): Provider {
      const upstream = createUpstream({ baseUrl: findBaseUrl(settings, `${variables}_BASE_URL`, baseUrl), clock });
      const key = settings[`${variables}_API_KEY`] ?? '';
      const messages = createMessagesProvider({
        upstream,
        clock,
        path: vendor.path,
        credentials: vendor.credential === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key },
        write: compatibleRequest(vendor, thinkingSigner),
        ignoredParams: messageRules.ignoredParams,
        answer: {
          native: false,
          sign: (thinking, original) => thinkingSigner.sign(vendor.providerId, thinking, original),
          packToolId,
        },
        ...(vendor.statusOfCode && { statusOfCode: vendor.statusOfCode }),
      });
      return { id: vendor.providerId, messages, close: () => upstream.close() };
    },
  };
}
