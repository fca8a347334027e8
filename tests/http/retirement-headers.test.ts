import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InternalModelJson } from '../../lib/contract/models';
import { fileOf } from '../lib/catalog/file-models';
import { PICTURE } from '../support/media-bytes';
import { startServer, type TestServer } from '../support/server';

// The headers that announce the end of a model, on the responses to requests that use it. The dates are those of a
// CATALOG_FILE, because which models of ours are deprecated changes.

const deprecatedAt = '2026-11-01T00:00:00Z';
const deactivatedAt = '2096-01-01T00:00:00Z';
const DEPRECATION = `@${Date.parse(deprecatedAt) / 1_000}`;
const SUNSET = 'Sun, 01 Jan 2096 00:00:00 GMT';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-catalog-'));
  const file = path.join(folder, 'catalog.json');
  const models = [
    { id: 'sandbox-t2v', deprecatedAt, deactivatedAt },
    { id: 'sandbox-text', deprecatedAt, deactivatedAt },
    { id: 'sandbox-i2v', deprecatedAt },
  ];
  await writeFile(file, fileOf(...models));
  server = await startServer({ env: { CATALOG_FILE: file } });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function announcedBy(call: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await server.call(call, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  return [response.status, response.headers.get('deprecation'), response.headers.get('sunset')];
}

const video = { model: 'sandbox-t2v', prompt: 'a kite', seconds: 1, size: '640x360' };
const conversation = { model: 'sandbox-text', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };

it('POST /v1/videos › announces the end of the model, also with a pin and when it is repeated', async () => {
  const key = { 'idempotency-key': 'kite-1' };
  expect(await announcedBy('/v1/videos', video, key)).toEqual([202, DEPRECATION, SUNSET]);
  expect(await announcedBy('/v1/videos', video, key)).toEqual([202, DEPRECATION, SUNSET]);
  const pinned = { ...video, model: 'sandbox/sandbox-t2v' };
  expect(await announcedBy('/v1/videos', pinned)).toEqual([202, DEPRECATION, SUNSET]);
});

it('POST /v1/messages › announces the end of the model, streamed or not, and so do token counts and quotes', async () => {
  for (const stream of [false, true])
    expect(await announcedBy('/v1/messages', { ...conversation, stream })).toEqual([200, DEPRECATION, SUNSET]);
  expect(await announcedBy('/v1/messages/count_tokens', conversation)).toEqual([200, DEPRECATION, SUNSET]);
  expect(await announcedBy('/console/api/quotes', conversation)).toEqual([200, DEPRECATION, SUNSET]);
});

it('a model without a date of retirement has no Sunset, and one that is not deprecated has neither header', async () => {
  const still = { ...video, model: 'sandbox-i2v', image_url: PICTURE };
  expect(await announcedBy('/v1/videos', still)).toEqual([202, DEPRECATION, null]);
  const current = { ...video, model: 'sandbox-start-end', image_list: [PICTURE, PICTURE] };
  expect(await announcedBy('/v1/videos', current)).toEqual([202, null, null]);
});

it('GET /internal/models › has the dates', async () => {
  const { data } = (await (await server.call('/internal/models')).json()) as { data: InternalModelJson[] };
  const datesOf = (name: string) => {
    const model = data.find(({ id }) => id === name);
    return [model?.deprecated_at, model?.deactivated_at];
  };
  expect(datesOf('sandbox-text')).toEqual([deprecatedAt, deactivatedAt]);
  expect(datesOf('sandbox-i2v')).toEqual([deprecatedAt, undefined]);
  expect(datesOf('sandbox-r2v')).toEqual([undefined, undefined]);
});
