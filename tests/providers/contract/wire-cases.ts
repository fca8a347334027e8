import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import type { VideoModel } from '../../../lib/domain/model';
import { mediaKind, type OrderMedia, type VideoBinding, type VideoOrder } from '../../../lib/domain/video';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { validBody } from '../../lib/videos/valid-bodies';
import {
  bindingOf,
  catalogBindings,
  makeVendorSubject,
  submit,
  type VendorContract,
  type VendorSubject,
} from './video-vendor';

// What a vendor must receive for an order of each model. The expected bodies are written by hand from the vendor's
// reference and not computed; every value that a caller can choose must have one. Each change of the order is listed with
// what it changes in the body; all other fields stay.

type Body = Readonly<Record<string, unknown>>;
type OrderChange = Partial<VideoOrder>;

export interface WireCase {
  /** The model of the catalog that has this binding; absent: none has. */
  readonly model?: string;
  /** The upstream model; absent: that of the model's only binding of the provider. */
  readonly modelName?: string;
  readonly path: string;
  readonly order: OrderChange & Pick<VideoOrder, 'kind' | 'seconds' | 'resolution' | 'audio'>;
  readonly body: Body;
  /** A field that becomes undefined is not sent. */
  readonly changes: readonly (readonly [change: OrderChange, body: Body])[];
}

export const PROMPT = 'A paper boat on a quiet river';
export const IMAGE = 'https://media.example.com/first.png';
export const LAST_IMAGE = 'https://media.example.com/last.png';
export const CLIP = 'https://media.example.com/clip.mp4';
export const first = [{ role: 'first_frame', url: IMAGE }] as const;
export const frames = [...first, { role: 'last_frame', url: LAST_IMAGE }] as const;
/** No ratio, although the default order has one. */
export const unshaped = { aspectRatio: undefined } as unknown as OrderChange;
export const parameter = (name: string, value: string | boolean): OrderChange => ({ parameters: { [name]: value } });

type OwnMedia = NonNullable<NonNullable<Parameters<typeof makeVendorSubject>[1]>['media']>;

/** Media at public addresses, which nobody reads. */
const addressesAlone: OwnMedia = {
  as: async ({ role, url }: OrderMedia) => ({
    form: 'https',
    url: url.startsWith('https:') ? url : mediaKind(role) === 'video' ? CLIP : IMAGE,
  }),
  read: async () => {
    throw new Error('No media are read here.');
  },
};

/** `media` reads the media of the requests, for whose addresses there is no server. */
export function wireCasesContract(
  contract: VendorContract,
  given: readonly WireCase[],
  media: OwnMedia = addressesAlone,
): void {
  const { definition } = contract;
  const cases = given.map((one) => ({ ...one, modelName: one.modelName ?? onlyBinding(definition, one.model) }));
  let subject: VendorSubject;
  beforeAll(async () => {
    subject = await makeVendorSubject(contract, { media });
  });
  afterAll(() => subject.close());

  async function sentFor({ modelName, path }: (typeof cases)[number], order: OrderChange): Promise<unknown> {
    const binding = bindingOf(definition, modelName);
    const { error, bodies, submits } = await submit(subject, contract, { prompt: PROMPT, ...order, binding });
    expect(error).toBeUndefined();
    expect(submits.map((request) => request.path)).toEqual([path]);
    expect(bodies).toEqual([submits[0]?.json]);
    return submits[0]?.json;
  }

  describe.each(cases.map((one) => [`${one.modelName} (${one.order.kind})`, one] as const))('%s', (_name, one) => {
    it('receives every field of an order', async () => {
      expect(await sentFor(one, one.order)).toStrictEqual(one.body);
    });

    it.each(one.changes.map(([change, expected]) => [JSON.stringify(change), change, expected] as const))(
      'receives the change %s',
      async (_text, change, expected) => {
        const sent = Object.entries({ ...one.body, ...expected }).filter(([, value]) => value !== undefined);
        expect(await sentFor(one, { ...one.order, ...change })).toStrictEqual(Object.fromEntries(sent));
      },
    );
  });

  const inCatalog = catalogBindings(definition);
  describe.each(inCatalog.map((one) => [`${one.model.id} by ${one.binding.modelName}`, one] as const))(
    '%s',
    (_name, { model, binding }) => {
      it('has an expected body for each of its values', () => {
        expect(definition.knows?.(binding) ?? true).toBe(true);
        const found = cases.find((one) => one.model === model.id && one.modelName === binding.modelName);
        expect(found ? uncoveredValues(model, binding, found) : ['the binding']).toEqual([]);
      });

      it('is accepted with any valid request', async () => {
        const pinned = withBindings(model, [binding]);
        for (const body of fc.sample(validBody(pinned), { numRuns: 15, seed: 1 })) {
          const { order } = parseVideoRequest(body, false, pinned, [binding]);
          const made = orderFor(order, pinned, binding);
          const { error, submits } = await submit(subject, contract, {
            ...(made.aspectRatio === undefined && unshaped),
            ...made,
            binding,
          });
          expect(error).toBeUndefined();
          expect(submits).toHaveLength(1);
        }
      });
    },
  );

  it('are there for no binding that the catalog does not have', () => {
    const names = inCatalog.map(({ model, binding }) => `${model.id} by ${binding.modelName}`);
    const cased = cases.flatMap(({ model, modelName }) => (model === undefined ? [] : [`${model} by ${modelName}`]));
    expect(cased.toSorted()).toEqual(names.toSorted());
  });
}

/** The upstream name of the only binding that the provider has of a model. */
function onlyBinding(definition: VendorContract['definition'], id: string | undefined): string {
  const [found, ...others] = catalogBindings(definition).filter(({ model }) => model.id === id);
  if (!found || others.length > 0) throw new Error(`${definition.name} has not one binding of ${id}.`);
  return found.binding.modelName;
}

const audioSwitches = ['generate_audio', 'sound', 'audio', 'generate_audio_switch', 'bgm', 'keep_original_sound'];

/** The values that a caller can choose for this binding and that no expected body has. */
export function uncoveredValues(
  model: VideoModel,
  binding: VideoBinding,
  one: {
    readonly order: OrderChange;
    readonly changes: readonly (readonly [change: OrderChange, body: unknown])[];
  },
): string[] {
  const { seconds, resolutions, aspectRatios } = withBindings(model, [binding]).video;
  const orders = [one.order, ...one.changes.map(([change]) => ({ ...one.order, ...change }))];
  const has = (field: keyof VideoOrder, value: unknown) => orders.some((order) => order[field] === value);
  return [
    ...(binding.outputFollowsSource ? [] : [Math.min(...seconds), Math.max(...seconds)])
      .filter((length) => !has('seconds', length))
      .map((length) => `${length} seconds`),
    ...resolutions.filter((tier) => !has('resolution', tier)),
    ...aspectRatios.filter((ratio) => !has('aspectRatio', ratio)),
    ...binding.parameters.filter((name) => {
      if (name === 'seed') return !has('seed', 0);
      if (audioSwitches.includes(name)) return !has('audio', true) || !has('audio', false);
      return !orders.some((order) => order.parameters?.[name] !== undefined);
    }),
  ];
}
