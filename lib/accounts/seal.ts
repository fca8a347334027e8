import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

// Encrypts secrets that we must be able to read again (webhook secrets, stored provider credentials) with AES-256-GCM.
// Their row and purpose are bound in as additional data, so a ciphertext that was moved to another row cannot be
// opened.

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

export interface Sealer {
  /**
   * Encrypts the text as `v1.` and base64url, differently for every call. `belongsTo` names the row and the purpose;
   * `open` needs the same value.
   */
  seal(text: string, belongsTo: string): string;
  /** Decrypts the text. Throws if it was sealed for another row or with an unknown master key, or was changed. */
  open(sealed: string, belongsTo: string): string;
  /** Returns the same secret sealed with the current master key; undefined if it already is. Throws as `open` does. */
  reseal(sealed: string, belongsTo: string): string | undefined;
}

/** Seals with `masterKey`; `fallbacks` are other master keys that only open, while the master key is rotated. */
export function createSealer(masterKey: string, fallbacks: readonly string[] = []): Sealer {
  const key = keyOf(masterKey);
  const otherKeys = fallbacks.map(keyOf);

  function seal(text: string, belongsTo: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(belongsTo));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${sealed.toString('base64url')}`;
  }

  function openWithOthers(sealed: string, belongsTo: string): string {
    for (const other of otherKeys) {
      const text = openWith(other, sealed, belongsTo);
      if (text !== undefined) return text;
    }
    throw unreadable();
  }

  return {
    seal,
    open: (sealed, belongsTo) => openWith(key, sealed, belongsTo) ?? openWithOthers(sealed, belongsTo),
    reseal: (sealed, belongsTo) =>
      openWith(key, sealed, belongsTo) === undefined ? seal(openWithOthers(sealed, belongsTo), belongsTo) : undefined,
  };
}

/** Derives the key, so that the master key may have any length and may also serve other purposes. */
function keyOf(masterKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'patchbay sealed secrets v1', 32));
}

/** Returns the text; undefined if it was not sealed with this key for this row. */
function openWith(key: Buffer, sealed: string, belongsTo: string): string | undefined {
  const [version, body, more] = sealed.split('.');
  const bytes = Buffer.from(body ?? '', 'base64url');
  if (version !== VERSION || more !== undefined || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(belongsTo)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Creates the error for the operator's log; a caller cannot cause it. */
function unreadable(): Error {
  return new Error('A stored secret could not be decrypted. Check that MASTER_KEY is the key that encrypted it.');
}
