import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import { fieldsOf, type Fields } from '../../../lib/domain/json';
import type { ProviderDeps } from '../../../lib/domain/provider';
import type { VideoBinding, VideoOrder } from '../../../lib/domain/video';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { minimalBody, validBody } from '../../lib/videos/valid-bodies';
import { urlsAlone, PROMPT, unshaped, type OrderChange } from '../support/vendor-orders';
import { bindingOf, catalogBindings, type CatalogBinding } from '../support/catalog-bindings';
import { inlineMediaOf } from '../support/leaks';
import { proofRuns } from '../../support/proof-runs';
import {
  makeOrder,
  submit,
  useVendorSubject,
  type Submission,
  type VendorContract,
  type VendorSubject,
} from '../support/vendor-subject';

// What a vendor must receive for each model. The expected bodies are written by hand from the vendor's reference and not
// computed; every value that a caller can choose must have one. Each change of what is ordered is listed with what it
// changes in the body; all other fields stay.

const NEWER_MODEL = 'model-of-tomorrow';
const withoutModel = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => (/^model(_name)?$/.test(name) ? undefined : value));

interface CaseOf<Ordered> {
  /** The path of the submit. */
  readonly path: string;
  readonly body: Fields;
  /** The fields of an object are changed one by one; a field that becomes undefined is not sent. */
  readonly changes: readonly (readonly [ordered: Ordered, body: Fields])[];
}

/** A case that states orders, with the prompt `PROMPT`. */
export interface OrderCase extends CaseOf<OrderChange> {
  /** The model of the catalog that has this binding; absent: any, or none. */
  readonly model?: string;
  /** The upstream model; absent: that of the model's only binding of the provider. */
  readonly modelName?: string;
  readonly order: OrderChange & Pick<VideoOrder, 'kind' | 'seconds' | 'resolution' | 'audio'>;
}

/** A case that states requests to the API of the gateway. */
export interface ApiCase extends CaseOf<Fields> {
  readonly model: string;
  readonly modelName?: string;
  /** Fields in addition to or instead of those of `minimalBody`; a field that becomes undefined is not sent. */
  readonly request?: Fields;
}

export type RequestCase = OrderCase | ApiCase;

export interface RequestOptions {
  /** The bindings of the catalog as the credentials can order them; by default as they are. */
  readonly bindings?: readonly CatalogBinding[];
  /** Reads the media of the requests, for whose URLs there is no server. */
  readonly media?: ProviderDeps['media'];
  /** Headers of every submit, in lower case. */
  readonly headers?: Fields;
  /** Fields of the body that are not known before the submit, such as our id. */
  readonly added?: (sent: Submission, subject: VendorSubject, order: VideoOrder) => Fields;
  /** What is stored of a body that has media inside it; by default the body itself. */
  readonly stored?: (body: Fields) => Fields;
  /** Is this order refused as `media_invalid`, by a rule that is no fact of the catalog? */
  readonly refuses?: (order: VideoOrder, binding: VideoBinding) => boolean;
}

export function requestCasesContract(
  name: string,
  contract: VendorContract,
  given: readonly RequestCase[],
  options: RequestOptions = {},
): void {
  const { definition } = contract;
  const { bindings = catalogBindings(definition), media = urlsAlone, headers = {} } = options;
  const { added, stored = (body: Fields) => body, refuses } = options;
  const cases = given.map((one) => resolveCase(contract, bindings, one));

  describe(`the requests to ${name}`, () => {
    const subject = useVendorSubject(contract, { media });

    const send = (order: VideoOrder, binding: VideoBinding) =>
      submit(subject, contract, { ...(order.aspectRatio === undefined && unshaped), ...order, binding });

    describe.each(cases.map((one) => [one.title, one] as const))('%s', (_title, one) => {
      it.each(one.rows.map((row) => [row.title, row] as const))(
        'with %s have exactly its fields',
        async (_row, row) => {
          const sent = await send(row.order, one.binding);
          expect(sent.error).toBeUndefined();
          expect(sent.submits.map(({ path, query }) => [path, query.size])).toEqual([[one.path, 0]]);
          const [request] = sent.submits;
          expect(request?.headers).toMatchObject(headers);
          const expected = changed(row.body, added?.(sent, subject, row.order) ?? {});
          expect(request && contract.bodyOf ? await contract.bodyOf(request) : request?.json).toStrictEqual(expected);
          expect(sent.bodies).toEqual([stored(expected)]);
          expect(inlineMediaOf(sent.bodies)).toEqual([]);
        },
      );

      // The vendors of the tests refuse the name of such a model, so only the request is compared.
      it.skipIf(!definition.knows)(
        'are the same for a newer model that is said to take them, with its name',
        async () => {
          const [row] = one.rows;
          const binding = { ...one.binding, modelName: NEWER_MODEL, sameRequestAs: one.binding.modelName };
          const sent = await send(row!.order, binding);
          const expected = stored(changed(row!.body, added?.(sent, subject, row!.order) ?? {}));
          const path = sent.submits[0]?.path ?? '';
          expect(JSON.stringify([path, sent.bodies[0]])).toContain(NEWER_MODEL);
          if (!path.includes(NEWER_MODEL)) expect(path).toBe(one.path);
          expect(withoutModel(sent.bodies[0])).toEqual(withoutModel(expected));
        },
      );
    });

    describe.each(bindings.map((one) => [`${one.model.id} by ${one.binding.modelName}`, one] as const))(
      '%s',
      (_name, { model, binding }) => {
        const pinned = withBindings(model, [binding]);

        it('is offered, and has an expected body for each of its values', () => {
          expect(definition.knows?.(binding) ?? true).toBe(true);
          const own = cases.filter((one) => one.binding.modelName === binding.modelName && one.model === model.id);
          const shared = cases.filter(
            (one) =>
              one.binding.modelName === binding.modelName &&
              one.model === undefined &&
              one.rows[0]?.order.kind === pinned.video.kind,
          );
          const rows = (own.length > 0 ? own : shared).flatMap((one) => one.rows);
          expect(rows.length > 0 ? untriedValues(pinned.video, binding, rows) : ['the binding']).toEqual([]);
        });

        it('is accepted with any valid request', async () => {
          for (const body of fc.sample(validBody(pinned), { numRuns: proofRuns(15, 3), seed: 1 })) {
            const order = orderFor(parseVideoRequest(body, false, pinned, [binding]).order, pinned, binding);
            const { error, submits } = await send(order, binding);
            if (refuses?.(order, binding)) expect(error).toMatchObject({ code: 'media_invalid' });
            else expect([error, submits.length]).toEqual([undefined, 1]);
          }
        });
      },
    );

    it('have cases for no binding that the catalog does not have', () => {
      const offered = bindings.map(({ model, binding }) => `${model.id} by ${binding.modelName}`);
      const cased = cases.flatMap(({ model, binding }) =>
        model === undefined ? [] : [`${model} by ${binding.modelName}`],
      );
      expect(cased.filter((one) => !offered.includes(one))).toEqual([]);
    });
  });
}

/** What is ordered, the values that the case states for it, and the body that must be sent. */
interface Row {
  readonly title: string;
  readonly order: VideoOrder;
  /** The value of a parameter as it is stated; undefined if it is not. */
  readonly stated: (parameter: string) => unknown;
  readonly body: Fields;
}

interface ResolvedCase {
  readonly title: string;
  readonly model: string | undefined;
  readonly binding: VideoBinding;
  readonly path: string;
  readonly rows: readonly Row[];
}

function resolveCase(contract: VendorContract, bindings: readonly CatalogBinding[], one: RequestCase): ResolvedCase {
  const { model, modelName, path } = one;
  const offer = model === undefined ? undefined : findOffer(bindings, model, modelName);
  return {
    title: `${model ?? modelName} (${path})`,
    model,
    binding: offer?.binding ?? bindingOf(contract.definition, modelName ?? ''),
    path,
    rows: 'order' in one ? rowsOfOrders(contract, one) : rowsOfRequests(offer, one),
  };
}

/** Undefined if the provider does not serve the model so. Without the name of the upstream model, it must have one. */
function findOffer(
  bindings: readonly CatalogBinding[],
  model: string,
  modelName: string | undefined,
): CatalogBinding | undefined {
  const found = bindings.filter(
    (one) => one.model.id === model && (modelName === undefined || one.binding.modelName === modelName),
  );
  if (modelName === undefined && found.length !== 1) throw new Error(`The provider has not one binding of ${model}.`);
  return found[0];
}

function rowsOfOrders(contract: VendorContract, { order, body, changes }: OrderCase): Row[] {
  return [[{}, {}] as const, ...changes].map(([change, bodyChange], index) => {
    const ordered = makeOrder(contract, { prompt: PROMPT, ...order, ...change });
    return {
      title: index === 0 ? 'a plain order' : JSON.stringify(change),
      order: ordered,
      stated(parameter) {
        if (parameter === 'seed') return ordered.seed;
        return AUDIO_SWITCHES.includes(parameter) ? ordered.audio : ordered.parameters[parameter];
      },
      body: changed(body, bodyChange),
    };
  });
}

function rowsOfRequests(offer: CatalogBinding | undefined, one: ApiCase): Row[] {
  if (!offer) throw new Error(`The provider does not serve ${one.model} so.`);
  const { binding } = offer;
  const pinned = withBindings(offer.model, [binding]);
  return [[{}, {}] as const, ...one.changes].map(([change, bodyChange], index) => {
    const request = defined({ ...minimalBody(pinned), ...one.request, ...change });
    return {
      title: index === 0 ? 'a plain request' : JSON.stringify(change),
      order: orderFor(parseVideoRequest(request, false, pinned, [binding]).order, pinned, binding),
      stated: (parameter) => request[parameter],
      body: changed(one.body, bodyChange),
    };
  });
}

const AUDIO_SWITCHES = ['generate_audio', 'sound', 'audio', 'generate_audio_switch', 'bgm', 'keep_original_sound'];

/** The values that a caller can choose for this binding and that no row has. */
function untriedValues(
  { seconds, resolutions, aspectRatios }: CatalogBinding['model']['video'],
  binding: VideoBinding,
  rows: readonly Row[],
): string[] {
  const has = (field: keyof VideoOrder, value: unknown) => rows.some(({ order }) => order[field] === value);
  return [
    ...(binding.outputFollowsSource ? [] : [Math.min(...seconds), Math.max(...seconds)])
      .filter((length) => !has('seconds', length))
      .map((length) => `${length} seconds`),
    ...resolutions.filter((tier) => !has('resolution', tier)),
    ...aspectRatios.filter((ratio) => !has('aspectRatio', ratio)),
    ...(binding.parameters.includes('seed') && rows.every(({ stated }) => stated('seed') !== 0) ? ['seed 0'] : []),
    ...binding.parameters.filter((name) => {
      const values = rows.map(({ stated }) => stated(name));
      if (name === 'seed') return false;
      if (values.includes(true) || values.includes(false)) return !(values.includes(true) && values.includes(false));
      return values.every((value) => value === undefined);
    }),
  ];
}

/** A body with other fields, those of objects one by one; undefined removes a field. */
function changed(body: Fields, change: Fields): Fields {
  const merged = Object.entries({ ...body, ...change }).map(([name, value]) => {
    const isPart = typeof value === 'object' && !Array.isArray(value);
    return [name, isPart && name in change ? changed(fieldsOf(body[name]), fieldsOf(value)) : value] as const;
  });
  return defined(Object.fromEntries(merged));
}

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
