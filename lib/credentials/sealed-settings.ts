import { z } from 'zod';
import type { Sealer } from '../accounts/seal';
import type { CredentialId } from '../domain/ids';

/** The values of a provider's variables by name. */
export type CredentialSettings = Readonly<Record<string, string>>;

const settingsSchema = z.record(z.string(), z.string());

/** See `seal.ts`. */
export const settingsOf = (id: CredentialId) => `provider credential ${id}`;

/** Encrypts the settings of a credential. They can be opened for this credential only. */
export function sealSettings(sealer: Sealer, id: CredentialId, settings: CredentialSettings): string {
  return sealer.seal(JSON.stringify(settings), settingsOf(id));
}

/** Throws if they were sealed for another credential or with another MASTER_KEY. */
export function openSettings(sealer: Sealer, id: CredentialId, sealed: string): CredentialSettings {
  return settingsSchema.parse(JSON.parse(sealer.open(sealed, settingsOf(id))));
}
