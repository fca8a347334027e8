import { expect, it } from 'vitest';
import { newMessageId } from '../../../../lib/messages/answer/message-id';

it('is msg_ and 24 letters or digits, and is never repeated', () => {
  const ids = new Set(Array.from({ length: 1_000 }, newMessageId));
  expect(ids.size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^msg_[0-9A-Za-z]{24}$/);
});
