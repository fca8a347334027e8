import type { ProviderDefinition, ProviderSetting, SettingAlias } from './provider';

// Finds out which variables enable a provider, for the start of the process and for the documentation.

/**
 * Thrown if a variable of a provider has an unusable value. The message is a sentence for the operator and does not
 * contain a secret's value.
 */
export class SettingError extends Error {
  constructor(
    readonly variable: string,
    /** Continues the sentence after the name of the variable. */
    reason: string,
  ) {
    super(`${variable} ${reason}`);
  }
}

/** The parts of a definition that say which variables enable the provider. */
export type EnablingSettings = Pick<ProviderDefinition, 'alternatives'> & {
  readonly settings: readonly Pick<ProviderSetting, 'name' | 'required'>[];
};

/**
 * Returns what prevents the provider from being enabled, in one sentence: `Set KLING_API_KEY, or KLING_ACCESS_KEY and
 * KLING_SECRET_KEY: KLING_SECRET_KEY is missing.` Variables are named as missing only if others of the same credential
 * are set. Undefined if the provider is enabled.
 */
export function missingSettings(
  definition: EnablingSettings,
  settings: Readonly<Record<string, string>>,
): { readonly sentence: string; readonly isPartial: boolean } | undefined {
  const credentials = credentialsOf(definition);
  const missing = credentials.map((names) => names.filter((name) => settings[name] === undefined));
  if (missing.some(({ length }) => length === 0)) return undefined;
  const partly = missing.filter((names, index) => names.length < (credentials[index]?.length ?? 0));
  const wanted = `Set ${credentials.map(list).join(', or ')}`;
  if (partly.length === 0) return { sentence: `${wanted}.`, isPartial: false };
  const isOne = partly.every(({ length }) => length === 1);
  return { sentence: `${wanted}: ${partly.map(list).join(' or ')} ${isOne ? 'is' : 'are'} missing.`, isPartial: true };
}

/**
 * Returns the other credentials that enable the provider without this variable, in words; undefined if there are none.
 */
export function insteadOf(name: string, { alternatives = [] }: EnablingSettings): string | undefined {
  const others = alternatives.filter((names) => !names.includes(name));
  return others.length === 0 || others.length === alternatives.length ? undefined : others.map(list).join(', or ');
}

/** Describes the alias in words for the operator. */
export function nameOfAlias(alias: SettingAlias): string {
  if (typeof alias === 'string') return alias;
  return 'of' in alias ? `${alias.of} (the ${alias.part})` : `${alias.id} with ${alias.secret}`;
}

/**
 * Returns the value of an alias. Undefined if its variables are not set, or if a variable that should contain an id and
 * a secret contains another text.
 */
export function valueOfAlias(
  alias: SettingAlias,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (typeof alias === 'string') return env[alias] || undefined;
  if ('of' in alias) {
    // Other texts are ignored, as the SDKs do, because other products use variables with the same name, such as HF_KEY.
    const [, id, secret] = /^([^:]+):([^:]+)$/.exec(env[alias.of] ?? '') ?? [];
    return alias.part === 'id' ? id : secret;
  }
  const [id, secret] = [env[alias.id], env[alias.secret]];
  return id && secret ? `${id}:${secret}` : undefined;
}

/** Returns the credentials that an organisation may store for its own account. Each has at least one name. */
export function ownCredentialsOf(
  definition: EnablingSettings & Pick<ProviderDefinition, 'ownCredentials'>,
): readonly (readonly string[])[] {
  return (definition.ownCredentials ?? credentialsOf(definition)).filter(({ length }) => length > 0);
}

/** Returns the complete credentials: each includes the variables that every credential needs. */
function credentialsOf({ settings, alternatives }: EnablingSettings): readonly (readonly string[])[] {
  const always = settings.filter(({ required }) => required).map(({ name }) => name);
  return alternatives?.map((names) => [...always, ...names]) ?? [always];
}

/** `A`, `A and B`, `A, B and C`. */
export function list(names: readonly string[]): string {
  return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
