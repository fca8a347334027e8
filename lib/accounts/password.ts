import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../domain/errors';

// Passwords are hashed with scrypt. The parameters are stored with each hash (`scrypt$N$r$p$salt$hash`), so they can be
// raised later and old hashes stay valid. One hash takes 128 MB and about 0.4 s of a core, so hashing is queued here:
// Node's thread pool has four threads, and DNS lookups for provider calls need them too.

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** About eight seconds of waiting; later requests are refused with `overloaded`. */
const MAX_QUEUE_LENGTH = 20;

export interface Passwords {
  /** A salted hash that carries its parameters. */
  hash(password: string): Promise<string>;
  /**
   * Resolves to false for a wrong password and, after the same amount of work, for an absent hash. Rejects with
   * `overloaded` if the queue is full.
   */
  verify(password: string, stored: string | null | undefined): Promise<boolean>;
}

/** Creates a queue for password hashing; a process needs one. `cost` applies to new hashes. */
export function createPasswords(cost: ScryptCost = COST): Passwords {
  // Compared when the person does not exist, so that a wrong e-mail takes as long as a wrong password.
  const absentHash = formatHash(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= MAX_QUEUE_LENGTH) {
      throw new GatewayError(
        'overloaded',
        'Too many people are signing in at this moment. Try again in a few seconds.',
        {
          retryAfterSeconds: 5,
        },
      );
    }
    waiting++;
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting--;
    }
  }

  return {
    hash: (password) => inTurn(() => hashPassword(password, cost)),
    verify: (password, stored) => inTurn(() => verifyPassword(password, stored ?? absentHash)),
  };
}

async function hashPassword(password: string, cost: ScryptCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await stretch(password, salt, HASH_BYTES, cost);
  return formatHash(cost, salt, hash);
}

function formatHash({ N, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
}

async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split('$');
  if (kind !== 'scrypt' || !salt || !hash) throw new Error('A stored password hash has an unknown form.');
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await stretch(password, Buffer.from(salt, 'base64'), expected.length, cost);
  return timingSafeEqual(actual, expected);
}

function stretch(password: string, salt: Buffer, bytes: number, { N, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Normalised, because keyboards compose accents differently and the same password must match.
    // Node allows 32 MB by default; scrypt takes 128·N·r bytes and a little more.
    scrypt(password.normalize('NFKC'), salt, bytes, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** The characters of a generated password, without those that look alike. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Generates a password such as `kfm4-t7pq-x2nd-hw9c-ab3e`: 20 characters out of 31, 99 bits. */
export function readablePassword(): string {
  const group = () => Array.from({ length: 4 }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
  return Array.from({ length: 5 }, group).join('-');
}
