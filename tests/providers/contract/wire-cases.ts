import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import type { VideoModel } from '../../../lib/domain/model';
import { mediaKind, type OrderMedia, type VideoBinding, type VideoOrder } from '../../../lib/domain/video';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { validBody } from '../../lib/videos/valid-bodies';
import { catalogBindings, makeVendorSubject, submit, type VendorContract, type VendorSubject } from './video-vendor';

// What a vendor must receive for an order of each model. The expected bodies are written by hand from the vendor's
// reference and not computed; every value that a caller can choose must have one.

type OrderChange = Partial<VideoOrder>;
type Body = Readonly<Record<string, unknown>>;

export interface WireCase {
  /** Of the catalog. */
  readonly model: string;
  /** Of the submit. */
  readonly path: string;
  readonly order: OrderChange & Pick<VideoOrder, 'kind' | 'seconds' | 'resolution' | 'audio'>;
  readonly body: Body;
  /** Changes of the order, and of the fields of the body. A field that becomes undefined is not sent. */
  readonly changes: readonly (readonly [change: OrderChange, body: Body])[];
}

export const IMAGE = 'https://media.example.com/first.png';
export const LAST_IMAGE = 'https://media.example.com/last.png';
export const CLIP = 'https://media.example.com/clip.mp4';
export const PROMPT = 'A paper boat on a quiet river';

/** An order whose ratio is that of its media. */
export const unshaped = { aspectRatio: undefined } as unknown as OrderChange;

export function wireCasesContract(
  { subject, contract }: { subject: () => VendorSubject; contract: VendorContract },
  cases: readonly WireCase[],
): void {
  const bindings = catalogBindings(contract.definition);
  const servedAs = (id: string) => {
    const found = bindings.find(({ model }) => model.id === id);
    if (!found) throw new Error(`${contract.definition.name} does not serve ${id}.`);
    return found;
  };

  async function sentFor({ model, path }: WireCase, order: OrderChange): Promise<unknown> {
    const { binding } = servedAs(model);
    const { error, bodies, submits } = await submit(subject(), contract, { prompt: PROMPT, ...order, binding });
    expect(error).toBeUndefined();
    expect(submits.map((request) => request.path)).toEqual([path]);
    expect(bodies).toEqual([submits[0]?.json]);
    return submits[0]?.json;
  }

  describe.each(cases.map((one) => [one.model, one] as const))('%s', (_name, one) => {
    it('receives every field of an order', async () => {
      expect(await sentFor(one, one.order)).toStrictEqual(one.body);
    });

    it.each(one.changes.map(([change, expected]) => [JSON.stringify(change), change, expected] as const))(
      'receives the change %s',
      async (_text, change, expected) => {
        const changed = Object.entries({ ...one.body, ...expected }).filter(([, value]) => value !== undefined);
        expect(await sentFor(one, { ...one.order, ...change })).toStrictEqual(Object.fromEntries(changed));
      },
    );

    it('has an expected body for each value of the binding', () => {
      const { model, binding } = servedAs(one.model);
      expect(uncoveredValues(model, binding, one)).toEqual([]);
    });

    it('is accepted with any valid request', async () => {
      const withoutReading = await makeVendorSubject(contract, { media: addressesAlone });
      const { model, binding } = servedAs(one.model);
      const pinned = withBindings(model, [binding]);
      for (const body of fc.sample(validBody(pinned), { numRuns: 20, seed: 1 })) {
        const made = orderFor(parseVideoRequest(body, false, pinned, [binding]).order, pinned, binding);
        const { error, submits } = await submit(withoutReading, contract, {
          ...(made.aspectRatio === undefined && unshaped),
          ...made,
          binding,
        });
        expect([error, submits.length]).toEqual([undefined, 1]);
      }
      await withoutReading.close();
    });
  });

  it('has cases for all bindings of the catalog, and knows them', () => {
    expect(cases.map(({ model }) => model)).toEqual(bindings.map(({ model }) => model.id));
    expect(bindings.filter(({ binding }) => contract.definition.knows?.(binding) === false)).toEqual([]);
  });
}

/** Media at public addresses. */
const addressesAlone = {
  as: async ({ role }: OrderMedia) => ({ form: 'https', url: mediaKind(role) === 'video' ? CLIP : IMAGE }) as const,
  read: async () => {
    throw new Error('No media are read here.');
  },
};

/** The values that a caller can choose for this binding and that no expected body has. */
function uncoveredValues(model: VideoModel, binding: VideoBinding, one: WireCase): string[] {
  const { seconds, resolutions, aspectRatios } = withBindings(model, [binding]).video;
  const orders = [one.order, ...one.changes.map(([change]) => ({ ...one.order, ...change }))];
  const has = (field: keyof WireCase['order'], value: unknown) => orders.some((order) => order[field] === value);
  const chosen = (name: string) => orders.map(({ parameters }) => parameters?.[name]);
  return [
    ...(binding.outputFollowsSource ? [] : [Math.min(...seconds), Math.max(...seconds)])
      .filter((length) => !has('seconds', length))
      .map((length) => `${length} seconds`),
    ...resolutions.filter((tier) => !has('resolution', tier)),
    ...aspectRatios.filter((ratio) => !has('aspectRatio', ratio)),
    ...binding.parameters.filter((name) => {
      if (name === 'seed') return !has('seed', 0);
      const values = chosen(name).filter((value) => value !== undefined);
      return values.length === 0 || (values.some((value) => typeof value === 'boolean') && new Set(values).size < 2);
    }),
  ];
}
