import { randomBase62 } from '../../io/base62';

/** Returns a new id in the form that clients of the messages API know: `msg_` and 24 letters or digits (142 bits). */
export function newMessageId(): string {
  return `msg_${randomBase62(24)}`;
}
