import { similarName } from '../../../../lib/catalog/suggestions';
import type { PolicyDraft } from './policy-draft';

// Names in a policy that the catalog does not have. They are allowed, because a model may be added later, but a list of
// only unknown names refuses every request.

/** What a policy can name. */
export interface PolicyNames {
  readonly models: readonly string[];
  /** The id of each alias. A policy compares ids, so an alias in it allows nothing. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly providers: readonly string[];
  readonly regions: readonly string[];
}

interface CatalogModel {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly providers: readonly { readonly providerId: string; readonly region?: string }[];
}

export function policyNamesOf(models: readonly CatalogModel[]): PolicyNames {
  const bindings = models.flatMap(({ providers }) => providers);
  return {
    models: models.map(({ id }) => id),
    aliases: new Map(models.flatMap(({ id, aliases }) => aliases.map((alias) => [alias, id] as const))),
    providers: [...new Set(bindings.map(({ providerId }) => providerId))].toSorted(),
    regions: [...new Set(bindings.flatMap(({ region }) => (region === undefined ? [] : [region])))].toSorted(),
  };
}

/** The lists of a policy whose names are checked, with the fields that have them. */
export const CHECKED_LISTS = [
  { list: 'models', field: 'allowed_models' },
  { list: 'providers', field: 'allowed_providers' },
  { list: 'regions', field: 'allowed_regions' },
] as const satisfies readonly { readonly list: keyof PolicyDraft; readonly field: string }[];

type CheckedList = (typeof CHECKED_LISTS)[number]['list'];

/** Returns a sentence for each unknown name of a list; undefined if all are known or the catalog is not loaded yet. */
export function unknownNames(
  list: CheckedList,
  values: readonly string[],
  known: PolicyNames | undefined,
): string | undefined {
  if (!known) return undefined;
  const unknown = values.filter((value) => !known[list].includes(value));
  return unknown.length === 0 ? undefined : unknown.map((value) => sentenceFor(list, value, known)).join(' ');
}

function sentenceFor(list: CheckedList, value: string, known: PolicyNames): string {
  const id = list === 'models' ? known.aliases.get(value) : undefined;
  if (id !== undefined) return `${value} is an alias: enter ${id} instead.`;
  const near = similarName(known[list], value);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  switch (list) {
    case 'models':
      return `There is no model ${value}.${hint}`;
    case 'providers':
      return `There is no provider ${value}.${hint}`;
    case 'regions':
      return `No provider is in the data region ${value}.${hint}`;
  }
}
