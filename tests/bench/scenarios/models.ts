import { compareLoad, load, type LoadRequest } from '../load';
import { gateShare, say, smoke, WARM_UP_MS } from '../measure';
import type { Scenario } from '../scenario';

export const models: Scenario = {
  name: 'models',
  isShort: true,
  async run(stage) {
    const [, gateway] = await stage.pair();
    const address = `${gateway.baseUrl}/v1/models`;
    const pair = [await stage.start('static buffer', 'static.ts', { args: [address] }), gateway] as const;
    const page = await fetch(address);
    const { data } = (await page.clone().json()) as { data: unknown[] };
    const bytes = (await page.arrayBuffer()).byteLength;
    say(`The list of ${data.length} models, ${(bytes / 1_000).toFixed(0)} KB`);
    for (const target of pair) await load(target, listing(bytes), 16, WARM_UP_MS / 3);
    let passed = await compareLoad('the list, c = 16', pair, listing(bytes), 16, 0.6 * gateShare);
    if (!smoke)
      passed =
        (await compareLoad('unchanged (304), c = 16', pair, unchanged(page.headers.get('etag') ?? ''), 16, 0)) &&
        passed;
    return passed;
  },
};

function listing(bytes: number): LoadRequest {
  return {
    method: 'GET',
    path: '/v1/models',
    async error({ statusCode, body }) {
      const received = (await body.arrayBuffer()).byteLength;
      return statusCode === 200 && received === bytes ? undefined : `${statusCode} with ${received} bytes`;
    },
  };
}

function unchanged(etag: string): LoadRequest {
  return {
    method: 'GET',
    path: '/v1/models',
    headers: { 'if-none-match': etag },
    async error({ statusCode, body }) {
      await body.dump();
      return statusCode === 304 ? undefined : String(statusCode);
    },
  };
}
