import { createRequire } from 'node:module';
import path from 'node:path';
import { compareAsMultiple, messageRequest, runLoad } from '../load';
import { minTargetFactor, print, WARM_UP_MS } from '../measure';
import type { Scenario } from '../scenario';

/** The folder in which `npm install @portkey-ai/gateway` was run. The project itself does not depend on the package. */
const folder = process.env.PORTKEY_DIR ?? process.cwd();

export const portkey: Scenario = {
  name: 'portkey',
  inSmokeRun: false,
  async run(harness) {
    const version = installedVersion();
    if (version === undefined) {
      print(
        'Portkey: skipped, because @portkey-ai/gateway is not installed here and PORTKEY_DIR names no folder that has it',
      );
      return true;
    }
    const [, gateway] = await harness.proxyAndGateway();
    print(`JSON, a small message, compared with Portkey ${version}`);
    const server = await harness.startServer('Portkey', 'portkey.ts', {
      args: [path.resolve(folder)],
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    });
    const configured = {
      ...server,
      headers: {
        'x-portkey-provider': 'anthropic',
        'x-portkey-custom-host': `${harness.upstreamUrl}/v1`,
        authorization: 'Bearer bench',
        'anthropic-version': '2023-06-01',
      },
    };
    await runLoad(configured, messageRequest('Hello'), 16, WARM_UP_MS);
    return compareAsMultiple('JSON, c = 16', [configured, gateway], messageRequest('Hello'), 16, 4 * minTargetFactor);
  },
};

function installedVersion(): string | undefined {
  try {
    // Safe: npm requires a version in every package.json.
    const { version } = createRequire(path.resolve(folder, 'package.json'))('@portkey-ai/gateway/package.json') as {
      version: string;
    };
    return version;
  } catch {
    return undefined;
  }
}
