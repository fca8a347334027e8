import { compareAsShare, runLoad, type LoadRequest } from '../load';
import { isSmoke, minTargetFactor, print, WARM_UP_MS } from '../measure';
import type { Scenario } from '../scenario';

export const models: Scenario = {
  name: 'models',
  inSmokeRun: true,
  async run(harness) {
    const [, gateway] = await harness.proxyAndGateway();
    const url = `${gateway.baseUrl}/v1/models`;
    const pair = [await harness.startServer('static buffer', 'static.ts', { args: [url] }), gateway] as const;
    const response = await fetch(url);
    const { data } = (await response.clone().json()) as { data: unknown[] }; // Safe: the list of models has this shape.
    const bytes = (await response.arrayBuffer()).byteLength;
    print(`The list of ${data.length} models, ${(bytes / 1_000).toFixed(0)} KB`);
    for (const server of pair) await runLoad(server, listRequest(bytes), 16, WARM_UP_MS / 3);
    let passed = await compareAsShare('the list, c = 16', pair, listRequest(bytes), 16, 0.6 * minTargetFactor);
    if (!isSmoke)
      passed =
        (await compareAsShare(
          'unchanged (304), c = 16',
          pair,
          conditionalRequest(response.headers.get('etag') ?? ''),
          16,
          0,
        )) && passed;
    return passed;
  },
};

/** The response must have exactly this size. */
function listRequest(bytes: number): LoadRequest {
  return {
    method: 'GET',
    path: '/v1/models',
    async findError({ statusCode, body }) {
      const receivedBytes = (await body.arrayBuffer()).byteLength;
      return statusCode === 200 && receivedBytes === bytes ? undefined : `${statusCode} with ${receivedBytes} bytes`;
    },
  };
}

/** The response must be a 304. */
function conditionalRequest(etag: string): LoadRequest {
  return {
    method: 'GET',
    path: '/v1/models',
    headers: { 'if-none-match': etag },
    async findError({ statusCode, body }) {
      await body.dump();
      return statusCode === 304 ? undefined : String(statusCode);
    },
  };
}
