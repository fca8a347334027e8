import { insteadOf, list, nameOfAlias } from '../domain/provider-settings';
import type { ConfigurableProvider } from './config';
import { groups, variables, type Variable } from './variables';

/** One variable as `.env.example` and docs/configuration.md show it. */
export interface DocumentedVariable {
  readonly name: string;
  /** Title of its section. */
  readonly group: string;
  readonly description: string;
  /** The default as text; undefined if there is none. */
  readonly defaultValue?: string;
  /** What applies without the variable, if it has no default. */
  readonly unset?: string;
}

/** Returns every variable in the order of the documentation. Those of the providers come last. */
export function documentedVariables(providers: readonly ConfigurableProvider[]): DocumentedVariable[] {
  const own = Object.entries<Variable>(variables).map(([name, { group, schema, description, unset }]) => {
    const value = schema.safeParse(undefined).data;
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return {
      name,
      group: groups[group],
      description,
      ...(text !== '' && { defaultValue: text }),
      ...(unset && { unset }),
    };
  });
  const ofProviders = providers.flatMap((provider) =>
    provider.settings.map(({ name, aliases, description, required }) => {
      const instead = insteadOf(name, provider);
      const unset = `the provider ${provider.id} is not offered`;
      return {
        name,
        group: 'Providers',
        description: aliases
          ? `${description} ${list(aliases.map(nameOfAlias))} ${aliases.length > 1 ? 'are' : 'is'} read too.`
          : description,
        ...(required && { unset }),
        ...(instead !== undefined && { unset: `${unset}, except with ${instead}` }),
      };
    }),
  );
  return [...own, ...ofProviders];
}
