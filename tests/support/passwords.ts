import { createPasswords, type Passwords } from '../../lib/accounts/password';

/**
 * Password hashing that takes no time. The real cost, almost half a second of a core, is what tests/lib/accounts checks.
 */
export const cheapPasswords = (): Passwords => createPasswords({ N: 16, r: 8, p: 1 });
