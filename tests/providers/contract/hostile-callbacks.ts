import { expect, it } from 'vitest';
import { newId } from '../../../lib/domain/ids';
import type { VendorContract, VendorSubject } from '../support/vendor-subject';
import { makeCall } from './video';

// Calls to the callback URL of a video that its vendor never makes.

/** The headers of the signatures of all vendors. */
const CALLBACK_HEADERS = [
  'date',
  'x-hmac-signature',
  'x-hmac-signed-headers',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-fal-webhook-request-id',
  'x-fal-webhook-user-id',
  'x-fal-webhook-timestamp',
  'x-fal-webhook-signature',
  'x-webhook-secret-key',
];

export function hostileCallbacksContract(subject: VendorSubject, contract: VendorContract): void {
  it('whatever a call to the callback URL has, it is refused or has no answer but that to a challenge', async () => {
    const url = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const now = String(Math.round(Date.now() / 1_000));
    const headersOf = (value: string | undefined) =>
      value === undefined ? {} : Object.fromEntries(CALLBACK_HEADERS.map((name) => [name, value]));
    const before = subject.vendor.requests.length;
    for (const value of [undefined, '', now, '1e400', 'NaN', '__proto__', 'a;'.repeat(4_000), 'é', `v1,${now} v1,`])
      for (const body of ['', '[]', 'null', '\0', '{"challenge":{}}', '{"challenge":"a"}', '{"status":"completed"}']) {
        const headers = { ...headersOf(value), ...(value === now && { date: new Date().toUTCString() }) };
        const callback = { videoId: newId('video'), url, headers, body: Buffer.from(body) };
        const outcome = await Promise.resolve(subject.video.receiveCallback?.(callback, makeCall(subject.log))).catch(
          (error: unknown) => error as Error,
        );
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'invalid_signature' });
        else expect([undefined, { challenge: 'a' }]).toContainEqual(outcome);
      }
    // The keys of the vendor are read once, and nothing else is sent.
    expect(subject.vendor.requests.slice(before).filter(contract.isSubmit)).toEqual([]);
    expect(subject.vendor.requests.length - before).toBeLessThanOrEqual(1);
  });
}
