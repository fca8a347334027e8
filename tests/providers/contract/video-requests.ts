import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import { mediaKind, type OrderMedia, type VideoOrder } from '../../../lib/domain/video';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { minimalBody, validBody, type Body } from '../../lib/videos/valid-bodies';
import { makeCall } from './video';
import { catalogBindings, makeStart, makeVendorSubject, type VendorContract, type VendorSubject } from './video-vendor';

// What a vendor must receive for a request of a caller, field by field. The expected bodies are written by hand from the
// vendor's reference.

/** A model of the catalog, as one vendor serves it. */
export interface RequestCase {
  readonly model: string;
  readonly path: string;
  /** Of the smallest request for the model; see `minimalBody`. */
  readonly body: Body;
  /**
   * Fields of a request, and the fields of the body that they change. Of both, a field that becomes undefined is not
   * sent.
   */
  readonly changes: readonly (readonly [request: Body, body: Body])[];
}

/** `ourId` is the field of the body that has our id of the video, if there is one; the expected bodies are without it. */
export function videoRequestsContract(
  name: string,
  contract: VendorContract,
  cases: readonly RequestCase[],
  { ourId }: { readonly ourId?: string } = {},
): void {
  const bindings = catalogBindings(contract.definition);

  describe(`the requests to ${name}`, () => {
    let subject: VendorSubject;
    let withoutReading: VendorSubject;
    beforeAll(async () => {
      subject = await makeVendorSubject(contract);
      withoutReading = await makeVendorSubject(contract, { media: addressesAlone });
    });
    afterAll(async () => {
      await Promise.all([subject.close(), withoutReading.close()]);
    });

    it('are tried for every binding of the catalog', () => {
      expect(new Set(cases.map(({ model }) => model))).toEqual(new Set(bindings.map(({ model }) => model.id)));
      expect(bindings.filter(({ binding }) => contract.definition.knows?.(binding) === false)).toEqual([]);
    });

    describe.each(cases.map((one) => [one.model, one] as const))('%s', (_name, one) => {
      const { model, binding } = bindingOf(one.model);

      function orderOf(request: Body): VideoOrder {
        const body = defined({ ...minimalBody(model), ...request });
        return orderFor(parseVideoRequest(body, false, model, [binding]).order, model, binding);
      }

      /** The paths and bodies of the submits, what was passed to `submitting`, and our id as the body has it. */
      async function send({ video, vendor, log }: VendorSubject, order: VideoOrder) {
        const before = vendor.requests.length;
        const stored: unknown[] = [];
        const submitting = async (body: unknown) => void stored.push(body);
        const start = { ...makeStart(contract), order, binding, submitting };
        await video.start(start, makeCall(log));
        const submits = vendor.requests.slice(before).filter(contract.isSubmit);
        const id = ourId === undefined ? {} : { [ourId]: start.videoId };
        return { submits: submits.map(({ path, json }) => ({ path, body: json })), stored, id };
      }

      it.each([[{}, {}] as const, ...one.changes])(
        'with %j has exactly the fields of the order',
        async (request, change) => {
          const { submits, stored, id } = await send(subject, orderOf(request));
          const expected = defined({ ...one.body, ...change, ...id });
          expect(submits).toStrictEqual([{ path: one.path, body: expected }]);
          expect(stored).toEqual([expected]);
        },
      );

      it('is accepted with any valid request', async () => {
        for (const body of fc.sample(validBody(model), { numRuns: 20, seed: 1 })) {
          const { order } = parseVideoRequest(body, false, model, [binding]);
          expect((await send(withoutReading, orderFor(order, model, binding))).submits).toHaveLength(1);
        }
      });

      it('is tried with every value that a caller can choose', () => {
        const requests: readonly Body[] = [{}, ...one.changes.map(([request]) => request)];
        const orders = requests.map(orderOf);
        const { seconds, resolutions, aspectRatios, parameters } = model.video;
        const untried = [
          ...[Math.min(...seconds), Math.max(...seconds)].filter((length) => !orders.some((o) => o.seconds === length)),
          ...resolutions.filter((tier) => !orders.some(({ resolution }) => resolution === tier)),
          ...aspectRatios.filter((ratio) => !orders.some(({ aspectRatio }) => aspectRatio === ratio)),
          ...parameters.filter((parameter) => !requests.some((request) => parameter in request)),
          ...parameters.filter((parameter) => {
            const values = requests.map((request) => request[parameter]);
            return values.includes(true) !== values.includes(false);
          }),
        ];
        expect(untried).toEqual([]);
      });
    });

    function bindingOf(id: string) {
      const found = bindings.find(({ model }) => model.id === id);
      if (!found) throw new Error(`${name} does not serve ${id}.`);
      return { model: withBindings(found.model, [found.binding]), binding: found.binding };
    }
  });
}

/** Media at public addresses. */
const addressesAlone = {
  as: async ({ role, url }: OrderMedia) => {
    const address = `https://example.com/${mediaKind(role) === 'video' ? 'clip.mp4' : 'image.png'}`;
    return { form: 'https', url: url.startsWith('https:') ? url : address } as const;
  },
  read: async () => {
    throw new Error('The media were read.');
  },
};

const defined = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
