import { createRequire } from 'node:module';
import path from 'node:path';
import { compareTimes, load, message } from '../load';
import { gateShare, say, WARM_UP_MS } from '../measure';
import type { Scenario } from '../scenario';

/** Where `npm install @portkey-ai/gateway` was run; nothing of this project needs it. */
const folder = process.env.PORTKEY_DIR ?? process.cwd();

export const portkey: Scenario = {
  name: 'portkey',
  isShort: false,
  async run(stage) {
    const version = installedVersion();
    if (version === undefined) {
      say(
        'Portkey: left out, because @portkey-ai/gateway is not installed here and PORTKEY_DIR names no folder where it is',
      );
      return true;
    }
    const [, gateway] = await stage.pair();
    say(`JSON, a small message, beside Portkey ${version}`);
    const server = await stage.start('Portkey', 'portkey.ts', {
      args: [path.resolve(folder)],
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    });
    const other = {
      ...server,
      headers: {
        'x-portkey-provider': 'anthropic',
        'x-portkey-custom-host': `${stage.upstreamUrl}/v1`,
        authorization: 'Bearer bench',
        'anthropic-version': '2023-06-01',
      },
    };
    await load(other, message('Hello'), 16, WARM_UP_MS);
    return compareTimes('JSON, c = 16', [other, gateway], message('Hello'), 16, 4 * gateShare);
  },
};

function installedVersion(): string | undefined {
  try {
    const { version } = createRequire(path.resolve(folder, 'package.json'))('@portkey-ai/gateway/package.json') as {
      version: string;
    };
    return version;
  } catch {
    return undefined;
  }
}
