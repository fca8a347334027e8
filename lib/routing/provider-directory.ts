import type { Account } from '../domain/caller';
import type { CredentialId, ProviderId } from '../domain/ids';
import type { Provider } from '../domain/provider';
import type { Mode, VideoBinding, VideoKind } from '../domain/video';

// The providers of an installation: those that the operator has set up, and those at which an organisation has its own
// account. Work that is sent with an organisation's own credential costs no credits, because the provider bills the
// organisation.

/** An organisation's own account at a provider. */
export interface OwnProvider {
  readonly credentialId: CredentialId;
  readonly provider: Provider;
  /** Limits a binding to what this credential can order. Absent if there is no such limit. */
  narrow?(binding: VideoBinding, kind: VideoKind): VideoBinding;
}

/** An organisation's own accounts, by provider; empty for most organisations. */
export type OwnProviders = ReadonlyMap<ProviderId, OwnProvider>;

/** The provider accounts that serve a request. */
export interface ServedBy {
  readonly mode: Mode;
  /** The organisation's own accounts; used only in live mode. */
  readonly own: OwnProviders;
}

export interface ProviderDirectory {
  /** The providers that the operator has set up, by id. */
  readonly installed: ReadonlyMap<ProviderId, Provider>;
  /**
   * Returns what serves a request of the account. A change of the organisation's credentials takes effect within 5 s.
   */
  servedBy(account: Account): ServedBy | Promise<ServedBy>;
  /**
   * Returns the provider that a piece of work was sent to, with the same credential. Undefined if the provider is no
   * longer set up, or if the credential was removed and no unfinished work needed it.
   */
  of(work: {
    readonly provider: ProviderId | null;
    readonly credentialId: CredentialId | null;
  }): Promise<Provider | undefined>;
  /** Returns the provider with the credential of an organisation's own account; undefined in the same cases as `of`. */
  ownOf(credentialId: CredentialId): Promise<OwnProvider | undefined>;
}

/** Served by the installation's providers alone; in test mode by its test provider. */
export const servedByInstallation = (mode: Mode): ServedBy => ({ mode, own: new Map() });
