import type { Sealer } from '../accounts/seal';
import type { CurrentCatalog } from '../catalog/catalog';
import { parseBody } from '../contract/parse-body';
import {
  storeCredentialRequestSchema,
  type ProviderCredentialJson,
  type ProviderCredentialListJson,
  type VerifiedCredentialJson,
} from '../contract/provider-credentials';
import type { VerificationJson } from '../contract/providers';
import type { Actor } from '../domain/caller';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type CredentialId, type OrgId, type ProviderId } from '../domain/ids';
import type { Provider, ProviderDefinition } from '../domain/provider';
import { list, ownCredentialsOf } from '../domain/provider-settings';
import { checkMay } from '../domain/check-may';
import type { Database } from '../db/database';
import {
  eraseRemovedCredentials,
  listCredentials,
  recordVerification,
  removeCredential,
  replaceCredential,
  type CredentialRow,
} from '../db/provider-credentials';
import type { CreatedDirectory, MakeOwnProvider } from './provider-directory';
import { sealSettings, type CredentialSettings } from './sealed-settings';

// The credentials of an organisation for its own accounts at providers, as the console and scripts manage them. A value
// is never returned. Owners and admins change them; every member can see which ones exist.

export interface Credentials {
  /** Lists the credentials by provider. */
  list(actor: Actor): Promise<ProviderCredentialListJson>;
  /**
   * Verifies the credential with the provider and stores it in place of the previous one. If the provider refuses it,
   * rejects with `unsupported_value` (param `settings`) and stores nothing.
   */
  store(actor: Actor, body: unknown): Promise<VerifiedCredentialJson>;
  /** Verifies a stored credential with the provider. Rejects with `credential_not_found`. */
  verify(actor: Actor, id: string): Promise<VerifiedCredentialJson>;
  /**
   * Removes a credential, so that no new work is sent with it. Its values are erased later, when no unfinished video
   * needs them. Rejects with `credential_not_found`.
   */
  remove(actor: Actor, id: string): Promise<void>;
}

export interface CredentialsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly catalog: CurrentCatalog;
  readonly definitions: readonly ProviderDefinition[];
  readonly directory: Pick<CreatedDirectory, 'forget' | 'of'>;
  readonly make: MakeOwnProvider;
  verify(provider: Provider): Promise<readonly VerificationJson[]>;
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const { db, clock, sealer, catalog, directory, make, verify } = deps;
  const offered = deps.definitions.filter((definition) => ownCredentialsOf(definition).length > 0);
  const nameOf = (id: ProviderId) => deps.definitions.find((definition) => definition.id === id)?.name ?? id;

  function present(row: CredentialRow): ProviderCredentialJson {
    return {
      id: row.id,
      object: 'provider_credential',
      provider: row.provider,
      provider_name: nameOf(row.provider),
      display: `••••${row.lastFour}`,
      status: row.refusedSince === null ? (row.verification ?? 'unknown') : 'refused',
      verified_at: row.verifiedAt && unixSeconds(row.verifiedAt),
      refused_since: row.refusedSince && unixSeconds(row.refusedSince),
      last_error: row.lastRefusedAt && {
        at: unixSeconds(row.lastRefusedAt),
        message: `${nameOf(row.provider)} refused this account. Its key may be wrong or revoked, or the account may be closed or without funds.`,
      },
      models: modelsOf(row.provider),
      created_at: unixSeconds(row.createdAt),
      created_by: row.createdBy,
      created_by_name: row.createdByName,
    };
  }

  /** Returns the models that the provider's adapter can order. */
  function modelsOf(provider: ProviderId): string[] {
    const current = catalog();
    return current
      .list()
      .filter((model) =>
        model.bindings.some((binding) => binding.providerId === provider && current.isOrderable(model, binding)),
      )
      .map(({ id }) => id);
  }

  async function getCredential(orgId: OrgId, id: string): Promise<CredentialRow> {
    const row = isId('credential', id) && (await listCredentials(db, orgId)).find((each) => each.id === id);
    if (!row) throw credentialNotFound();
    return row;
  }

  async function verified(orgId: OrgId, id: CredentialId, results: readonly VerificationJson[]) {
    await recordVerification(db, id, outcomeOf(results), clock.now());
    return { ...present(await getCredential(orgId, id)), results };
  }

  return {
    async list({ orgId }) {
      const rows = await listCredentials(db, orgId);
      return {
        object: 'list',
        data: rows.map(present),
        providers: offered.map((definition) => ({
          id: definition.id,
          name: definition.name,
          capabilities: [...definition.capabilities],
          credentials: ownCredentialsOf(definition).map((names) =>
            names.map((name) => ({
              name,
              description: definition.settings.find((setting) => setting.name === name)?.description ?? '',
            })),
          ),
        })),
      };
    },

    async store(actor, body) {
      checkMayManage(actor);
      const { provider: id, settings } = parseBody(storeCredentialRequestSchema, body);
      const definition = offered.find((each) => each.id === id);
      if (!definition)
        throw new GatewayError(
          'unsupported_value',
          `provider must be one of ${offered.map((each) => each.id).join(', ')}.`,
          { param: 'provider' },
        );
      const credential = checkComplete(definition, settings);
      const made = make(definition.id, credential);
      if (!made) throw new Error('The definition created no provider.');
      let results: readonly VerificationJson[];
      try {
        results = await verify(made.provider);
      } finally {
        await made.provider.close?.();
      }
      if (outcomeOf(results) === 'refused')
        throw new GatewayError(
          'unsupported_value',
          `${definition.name} refused these credentials, so they were not stored. Check that they are complete and active.`,
          { param: 'settings' },
        );
      const credentialId = newId('credential');
      await db.inTransaction((tx) =>
        replaceCredential(tx, {
          id: credentialId,
          orgId: actor.orgId,
          provider: definition.id,
          sealed: sealSettings(sealer, credentialId, credential),
          lastFour: Object.values(credential).at(-1)?.slice(-4) ?? '',
          createdBy: actor.userId ?? null,
          createdAt: clock.now(),
        }),
      );
      directory.forget(actor.orgId);
      await eraseRemovedCredentials(db, clock.now());
      return verified(actor.orgId, credentialId, results);
    },

    async verify(actor, id) {
      checkMayManage(actor);
      const row = await getCredential(actor.orgId, id);
      const provider = await directory.of({ provider: row.provider, credentialId: row.id });
      return verified(actor.orgId, row.id, provider ? await verify(provider) : []);
    },

    async remove(actor, id) {
      checkMayManage(actor);
      if (!isId('credential', id) || !(await removeCredential(db, actor.orgId, id, clock.now())))
        throw credentialNotFound();
      directory.forget(actor.orgId);
      await eraseRemovedCredentials(db, clock.now());
    },
  };
}

/**
 * Returns the values of one complete credential. Throws `unsupported_value` if a name is unknown or a value is missing.
 */
function checkComplete(definition: ProviderDefinition, settings: CredentialSettings): CredentialSettings {
  const credentials = ownCredentialsOf(definition);
  const given = Object.keys(settings);
  const fitting = credentials.find(
    (names) => names.length === given.length && names.every((name) => settings[name] !== undefined),
  );
  if (!fitting)
    throw new GatewayError(
      'unsupported_value',
      `settings must have exactly ${credentials.map((names) => list(names)).join(', or ')}.`,
      { param: 'settings' },
    );
  return Object.fromEntries(fitting.map((name) => [name, settings[name] ?? '']));
}

/**
 * Returns `refused` if the provider refused the credential for any capability, and `accepted` if it accepted it for any
 * and refused it for none.
 */
function outcomeOf(results: readonly VerificationJson[]): VerificationJson['outcome'] {
  const outcomes = results.map(({ outcome }) => outcome);
  return (
    outcomes.find((outcome) => outcome === 'refused') ?? outcomes.find((outcome) => outcome === 'accepted') ?? 'unknown'
  );
}

/** Developers may use the credentials, but only owners and admins decide which account pays. */
function checkMayManage(actor: Actor): void {
  checkMay(actor, 'ownAccounts');
}

function credentialNotFound(): GatewayError {
  return new GatewayError('credential_not_found', 'Your organisation has no provider credential with this id.');
}
