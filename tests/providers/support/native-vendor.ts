import { afterAll, beforeAll } from 'vitest';
import type { Provider } from '../../../lib/domain/provider';
import { anthropic } from '../../../lib/providers/anthropic/index';
import { startFakeMessagesVendor, type FakeMessagesVendor } from '../../support/upstreams/fake-messages-vendor';
import { makeProviderDeps } from './messages';

/**
 * The fake of the native messages vendor and the provider in front of it, for the tests of a file or of a `describe`.
 */
export function nativeVendor(): { readonly vendor: FakeMessagesVendor; readonly provider: Provider } {
  let vendor: FakeMessagesVendor | undefined;
  let provider: Provider | undefined;
  beforeAll(async () => {
    vendor = await startFakeMessagesVendor();
    provider = anthropic.create(
      makeProviderDeps({ ANTHROPIC_API_KEY: vendor.apiKey, ANTHROPIC_BASE_URL: vendor.baseUrl }),
    );
  });
  afterAll(async () => {
    await provider?.close?.();
    await vendor?.close();
  });
  // Safe: both are set before the first test.
  return {
    get vendor() {
      return vendor!;
    },
    get provider() {
      return provider!;
    },
  };
}
