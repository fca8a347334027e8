import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

// Secrets that we must be able to read again (webhook secrets, stored provider credentials) lie in the database sealed with
// AES-256-GCM. What they belong to is bound in as additional data, so a sealed text moved to another row does not open.

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

export interface Sealer {
  /** `v1.` and base64url; another text each time. `belongsTo` names the row and the purpose, and is needed to open it. */
  seal(text: string, belongsTo: string): string;
  /** The text again; throws when it was sealed for another row, with another master key, or was changed. */
  open(sealed: string, belongsTo: string): string;
}

export function createSealer(masterKey: string): Sealer {
  // Derived, so that the master key may have any length and may serve other purposes beside this one.
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'patchbay sealed secrets v1', 32));
  return {
    seal(text, belongsTo) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(belongsTo));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
    open(sealed, belongsTo) {
      const [version, body, more] = sealed.split('.');
      const bytes = Buffer.from(body ?? '', 'base64url');
      if (version !== VERSION || more !== undefined || bytes.length < IV_BYTES + TAG_BYTES) throw unreadable();
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(belongsTo)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        throw unreadable();
      }
    },
  };
}

/** For the operator's log; a caller never causes it. */
function unreadable(): Error {
  return new Error('A sealed secret could not be opened. Is MASTER_KEY the one that it was sealed with?');
}
