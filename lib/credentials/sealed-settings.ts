import { z } from 'zod';
import type { Sealer } from '../accounts/seal';
import type { CredentialId } from '../domain/ids';

/** The values of a provider's variables by name. */
export type CredentialSettings = Readonly<Record<string, string>>;

const settingsSchema = z.record(z.string(), z.string());

/** Returns the `belongsTo` of the settings; see `seal.ts`. */
export const settingsOf = (id: CredentialId) => `provider credential ${id}`;

/** Encrypts the settings of a credential. They can be opened for this credential only. */
export function sealSettings(sealer: Sealer, id: CredentialId, settings: CredentialSettings): string {
  return sealer.seal(JSON.stringify(settings), settingsOf(id));
}

/**
 * Decrypts the settings of a credential. Throws if they were sealed for another credential or with another MASTER_KEY.
 */
export function openSettings(sealer: Sealer, id: CredentialId, sealed: string): CredentialSettings {
  return settingsSchema.parse(JSON.parse(sealer.open(sealed, settingsOf(id))));
}
