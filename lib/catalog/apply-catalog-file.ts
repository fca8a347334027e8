import { z } from 'zod';
import { pathText } from '../contract/parse-body';
import { bindingKey } from '../domain/binding';
import type { Binding, Capability, Model } from '../domain/model';
import type { CanOrder } from './can-order';
import { fileChangeSchemas, fileEntrySchemas } from './catalog-file-schema';
import { entryOfModel } from './entry-of-model';
import { messagesEntrySchema, messagesModel } from './messages-entry';
import { videoEntrySchema, videoModel } from './model-entry';
import { issueReason } from '../contract/issue-reason';
import { allOf, anyOf, shown } from '../domain/phrases';
import { sttEntrySchema, sttModel, ttsEntrySchema, ttsModel } from './speech-entry';
import { nearestIds } from './suggestions';
import { catalogIssues } from './validate-catalog';

// Applies the operator's file to our models. If the file has an error, nothing of it is used. All errors are reported
// together, each with its path in the file.

export interface CatalogData {
  readonly models: readonly Model[];
  /** The ids of models that the file adds or changes. */
  readonly fromFile: ReadonlySet<string>;
}

/** Every error of a catalog file, in the form `<path> <reason>`. */
export class CatalogFileError extends Error {
  constructor(
    readonly file: string,
    readonly errors: readonly string[],
  ) {
    super(
      `CATALOG_FILE ${file} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n${errors.map((error) => `  - ${error}`).join('\n')}`,
    );
  }
}

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

/** An item of the file and the model that results from it. */
interface Item {
  readonly index: number;
  readonly fields: Fields;
  readonly model: Model;
}

type Made = { readonly model: Model } | { readonly issues: readonly z.core.$ZodIssue[] };

const makers: Readonly<Record<Capability, (entry: unknown) => Made>> = {
  video: (entry) => made(videoEntrySchema, videoModel, entry),
  messages: (entry) => made(messagesEntrySchema, messagesModel, entry),
  stt: (entry) => made(sttEntrySchema, sttModel, entry),
  tts: (entry) => made(ttsEntrySchema, ttsModel, entry),
};

function made<Entry>(schema: z.ZodType<Entry>, make: (entry: Entry) => Model, value: unknown): Made {
  const { data, error } = schema.safeParse(value, { reportInput: true });
  return error ? { issues: error.issues } : { model: make(data) };
}

const outline = z.strictObject({ $schema: z.string().exactOptional(), models: z.array(z.unknown()) });
const isCapability = (value: unknown): value is Capability => Object.hasOwn(fileEntrySchemas, String(value));

/** Returns our models changed by the text of the file. Throws a CatalogFileError with every error. */
export function applyCatalogFile(file: string, text: string, base: readonly Model[], canOrder: CanOrder): CatalogData {
  const errors: string[] = [];
  const report = (path: Path, reason: string) => void errors.push(`${pathText(path) || 'the file'} ${reason}`);
  const finish = (): void => {
    if (errors.length > 0) throw new CatalogFileError(file, errors);
  };

  const parsed = outline.safeParse(parseJson(text, report), { reportInput: true });
  if (!parsed.success && errors.length === 0) reportAll(parsed.error, [], report);
  if (!parsed.success) {
    finish();
    throw new Error('A file without models was accepted.');
  }

  const items: Item[] = [];
  const seen = new Set<string>();
  for (const [index, value] of parsed.data.models.entries()) {
    const item = readItem(index, value, base, report);
    if (!item) continue;
    if (seen.has(item.model.id)) report(['models', index, 'id'], `is listed twice: ${shown(item.model.id)}.`);
    else items.push(item);
    seen.add(item.model.id);
  }

  const models = withItems(base, items);
  for (const { modelId, path, reason } of catalogIssues(models)) {
    const item = items.find(({ model }) => model.id === modelId);
    report(item ? placeIn(item, path) : ['models'], `is not valid: ${item ? reason : `${modelId}: ${reason}`}`);
  }
  for (const item of items) {
    checkDefaults(item, report);
    checkDates(item, report);
    checkAdapters(item, base, canOrder, report);
  }
  finish();
  return { models, fromFile: seen };
}

type Report = (path: Path, reason: string) => void;

function parseJson(text: string, report: Report): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    report([], `is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}.`);
    return undefined;
  }
}

function readItem(index: number, value: unknown, base: readonly Model[], report: Report): Item | undefined {
  const at = ['models', index];
  const fields = z.record(z.string(), z.unknown()).safeParse(value).data;
  if (!fields) return void report(at, `must be an object; got ${shown(value)}.`);
  const { id, capability } = fields;
  if (typeof id !== 'string') return void report([...at, 'id'], 'is missing. It is the id of a model, as text.');
  if (capability !== undefined) {
    if (!isCapability(capability))
      return void report(
        [...at, 'capability'],
        `must be ${anyOf(Object.keys(fileEntrySchemas))}; got ${shown(capability)}.`,
      );
    const entry = fileEntrySchemas[capability].safeParse(fields, { reportInput: true });
    if (!entry.success) return void reportAll(entry.error, at, report);
    const { capability: _known, ...rest } = fields;
    return itemOf({ index, fields }, capability, withSources(rest), report);
  }
  const model = base.find((each) => each.id === id);
  if (!model)
    return void report(
      [...at, 'id'],
      `names no model of the catalog: ${shown(id)}. Similar ones are ${allOf(nearestIds(base, id, 3))}. To add a model, state its "capability": ${anyOf(Object.keys(fileEntrySchemas))}.`,
    );
  const change = fileChangeSchemas[model.capability].safeParse(fields, { reportInput: true });
  if (!change.success) return void reportAll(change.error, at, report);
  const listed = new Set<string>();
  for (const [place, binding] of (change.data.bindings ?? []).entries()) {
    if (listed.has(bindingKey(binding))) report([...at, 'bindings', place], 'is listed twice.');
    listed.add(bindingKey(binding));
    if (model.bindings.some((known) => bindingKey(known) === bindingKey(binding))) continue;
    if (binding.removed) report([...at, 'bindings', place], `removes a binding that ${id} does not have.`);
    // An added binding does not inherit the price of another binding, because that is the price of another provider.
    else if (binding.price === undefined && fields.price === undefined)
      report([...at, 'bindings', place, 'price'], 'is missing: an added binding needs its own price.');
  }
  return itemOf({ index, fields }, model.capability, changed(model, withSources(fields)), report);
}

function itemOf(
  { index, fields }: Pick<Item, 'index' | 'fields'>,
  capability: Capability,
  entry: Fields,
  report: Report,
): Item | undefined {
  const result = makers[capability](entry);
  if ('model' in result) return { index, fields, model: result.model };
  for (const issue of result.issues) report(placeOf({ index, fields }, entry.bindings, issue.path), reasonOf(issue));
  return undefined;
}

/** Returns our entry of the model with a parsed change applied to it. */
function changed(model: Model, { bindings: changes, price, facts, ...fields }: Fields): Fields {
  const entry: Fields = { ...entryOfModel(model) };
  const patches = listOfFields(changes);
  const known = listOfFields(entry.bindings);
  const inForce = known.flatMap((binding) => {
    const patch = patches.find((each) => keyOf(each) === keyOf(binding));
    if (patch?.removed) return [];
    return [withChanges({ ...binding, ...(price !== undefined && { price }) }, patch ?? {})];
  });
  const added = patches.filter((patch) => !patch.removed && !known.some((binding) => keyOf(binding) === keyOf(patch)));
  return {
    ...withChanges(entry, fields),
    // The bindings get the price below. Only the entry of a video model also has a price of its own.
    ...(price !== undefined && model.capability === 'video' && { price }),
    ...(facts !== undefined && { facts: withChanges(asFields(entry.facts), asFields(facts)) }),
    bindings: [...inForce, ...added.map((patch) => withChanges({ ...(price !== undefined && { price }) }, patch))],
  };
}

/** Applies changes to fields. A null removes the field. */
function withChanges(fields: Fields, changes: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null));
}

/** Moves the date of each price into its source, as in our own entries. */
function withSources({ price, bindings, ...fields }: Fields): Fields {
  const ofPrice = (stated: unknown): Fields => {
    const { source, date, ...rest } = asFields(stated);
    return { ...rest, source: `${String(source)}, ${String(date)}` };
  };
  return {
    ...fields,
    ...(price !== undefined && { price: ofPrice(price) }),
    ...(bindings !== undefined && {
      bindings: listOfFields(bindings).map((binding) =>
        binding.price === undefined ? binding : { ...binding, price: ofPrice(binding.price) },
      ),
    }),
  };
}

/**
 * Returns our models with the items of the file. A changed model keeps its place; a new one comes after the last model
 * of its capability.
 */
function withItems(base: readonly Model[], items: readonly Item[]): Model[] {
  const byId = new Map(items.map(({ model }) => [model.id, model]));
  // A model that the file retires is no longer named as the replacement of others.
  const isRetired = (id: string) => byId.get(id)?.deactivatedAt !== undefined;
  const models = base.map(
    (model) =>
      byId.get(model.id) ??
      (model.replacements?.some(isRetired)
        ? { ...model, replacements: model.replacements.filter((id) => !isRetired(id)) }
        : model),
  );
  for (const { model } of items) {
    if (base.some(({ id }) => id === model.id)) continue;
    const last = models.findLastIndex(({ capability }) => capability === model.capability);
    models.splice(last < 0 ? models.length : last + 1, 0, model);
  }
  return models;
}

/** Refuses a stated default that no binding serves, because another default would silently take its place. */
function checkDefaults(item: Item, report: Report): void {
  if (item.model.capability !== 'video') return;
  for (const field of ['defaultSeconds', 'defaultResolution'] as const) {
    const stated = item.fields[field];
    const allowed: readonly unknown[] =
      field === 'defaultSeconds' ? item.model.video.seconds : item.model.video.resolutions;
    if (stated === undefined || stated === null || allowed.includes(stated)) continue;
    report(
      placeIn(item, [field]),
      `must be ${anyOf(allowed.map(String))}, which its bindings serve; got ${shown(stated)}.`,
    );
  }
}

/**
 * Compares the dates only if the file states `deprecatedAt`. A file may retire one of our models, which a later version
 * may deprecate after that date.
 */
function checkDates(item: Item, report: Report): void {
  const { deprecatedAt, deactivatedAt } = item.model;
  if (typeof item.fields.deprecatedAt !== 'string' || deprecatedAt === undefined || deactivatedAt === undefined) return;
  if (Date.parse(deprecatedAt) > Date.parse(deactivatedAt))
    report(
      placeIn(item, ['deprecatedAt']),
      `must not be after deactivatedAt, which is ${shown(deactivatedAt)}; got ${shown(deprecatedAt)}.`,
    );
}

/** Refuses bindings that the file names and that can never be ordered. Our own bindings may wait for an adapter. */
function checkAdapters(item: Item, base: readonly Model[], canOrder: CanOrder, report: Report): void {
  const { model } = item;
  const { capability } = model;
  const ours = base
    .filter((each) => each.capability === capability)
    .flatMap(({ bindings }): readonly Binding[] => bindings);
  const before = base.find(({ id }) => id === model.id);
  const named = new Set(listOfFields(item.fields.bindings).map(keyOf));
  for (const [index, binding] of model.bindings.entries()) {
    const { providerId } = binding;
    const isOther = 'sameRequestAs' in binding && binding.sameRequestAs !== undefined;
    const requested = isOther ? binding.sameRequestAs : binding.modelName;
    if (!named.has(bindingKey(binding))) continue;
    const path = placeIn(item, ['bindings', index]);
    const answer = canOrder(binding, capability);
    const ofProvider = ours.filter((each) => each.providerId === providerId);
    if (answer === 'no_adapter' && ofProvider.length === 0)
      report(
        [...path, 'providerId'],
        `names no provider of ${capability} models: ${shown(providerId)}. They are ${allOf([...new Set(ours.map((each) => each.providerId))].toSorted())}.`,
      );
    if (answer !== 'unknown_model') continue;
    const earlier = before?.bindings.find((each) => bindingKey(each) === bindingKey(binding));
    if (earlier && canOrder(earlier, capability) === 'unknown_model') continue;
    const known = [
      ...new Set(ofProvider.filter((each) => canOrder(each, capability) === 'yes').map((each) => each.modelName)),
    ];
    report(
      [...path, isOther ? 'sameRequestAs' : 'modelName'],
      known.includes(requested)
        ? `cannot be ordered from ${providerId} with these values: its adapter serves ${shown(requested)} with other resolutions, audio or parameters.`
        : `is unknown to the adapter of ${providerId}: ${shown(requested)}. The models of this provider take different fields, so its adapter has a table of them. It knows ${listed(known)}.${isOther ? '' : ' If the model takes the same requests as one of these, name that one in sameRequestAs; otherwise it needs a new version of Patchbay.'}`,
    );
  }
}

const MAX_LISTED = 12;
const listed = (names: readonly string[]) =>
  names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(', ')} and others` : allOf(names);

/** Returns where in the file a field of the model is stated: the longest part of the path that exists there. */
function placeIn({ index, fields, model }: Item, path: Path): Path {
  return placeOf({ index, fields }, model.bindings, path);
}

function placeOf({ index, fields }: Pick<Item, 'index' | 'fields'>, bindings: unknown, path: Path): Path {
  const at = ['models', index];
  const [first, place, ...rest] = path;
  if (first !== 'bindings' || typeof place !== 'number') return [...at, ...within(fields, path)];
  const binding = listOfFields(bindings)[place];
  const stated = listOfFields(fields.bindings);
  const own = stated.findIndex((each) => binding !== undefined && keyOf(each) === keyOf(binding));
  const patch = stated[own];
  if (!patch) return [...at, ...within(fields, rest)];
  // A binding without its own price has the price of the model.
  if (rest[0] === 'price' && patch.price === undefined && fields.price !== undefined)
    return [...at, ...within(fields, rest)];
  return [...at, 'bindings', own, ...within(patch, rest)];
}

/**
 * Returns the longest beginning of the path that exists. The last part of the path is included even if it is missing.
 */
function within(fields: Fields, path: Path): Path {
  let value: unknown = fields;
  for (const [depth, part] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return path.slice(0, depth === path.length - 1 ? path.length : depth);
    value = Reflect.get(value, part);
  }
  return path;
}

const asFields = (value: unknown): Fields => z.record(z.string(), z.unknown()).parse(value ?? {});
const listOfFields = (value: unknown): readonly Fields[] =>
  z.array(z.record(z.string(), z.unknown())).parse(value ?? []);
const keyOf = ({ providerId, modelName }: Fields) =>
  bindingKey({ providerId: String(providerId), modelName: String(modelName) });

function reportAll(error: z.ZodError, at: Path, report: Report): void {
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) report([...at, ...issue.path, key], 'is not a field here. Remove it.');
    else report([...at, ...issue.path], reasonOf(issue));
  }
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'is missing.';
  if (issue.code !== 'invalid_format') return `${issueReason(issue) ?? issue.message}.`;
  const got = `; got ${shown(issue.input)}.`;
  if (issue.format === 'date') return `must be a day such as "2026-11-23"${got}`;
  if (issue.format === 'datetime') return `must be a time such as "2026-11-23T00:00:00Z"${got}`;
  return `${issue.message}${got}`;
}
