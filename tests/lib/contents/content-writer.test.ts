import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContentWriter, type NewContent } from '../../../lib/contents/content-writer';
import { findContent, type ContentKind } from '../../../lib/db/kept-contents';
import { makeGateway, type TestGateway } from '../../support/gateway';

const DAY_MS = 86_400_000;
const REFUSED = 'kept contents could not be stored';

let test: TestGateway;
let content: NewContent;
beforeAll(async () => {
  test = await makeGateway();
  const { orgId } = await test.caller();
  content = { id: 'a', orgId, days: 2, request: 'a secret', answer: null };
});
afterAll(() => test.close());

const setDays = (column: string, days: number | null) =>
  test.db.query(`update organizations set ${column} = $1 where id = $2`, [days, content.orgId]);

describe.each([
  ['message', 'keep_messages_days', 'keep_speech_days'],
  ['session', 'keep_speech_days', 'keep_messages_days'],
] as const)('what was said in a %s', (kind: ContentKind, setting, other) => {
  const find = (id: string) => findContent(test.db, kind, content.orgId, id, test.clock.now());

  it('is stored for its days, without the character that Postgres has not', async () => {
    await setDays(setting, 2);
    const writer = createContentWriter(kind, test);
    writer.keep({ ...content, answer: 'one\0two' });
    await writer.settled();
    const expiresAt = new Date(test.clock.nowMs() + 2 * DAY_MS);
    expect(await find('a')).toEqual({ request: 'a secret', answer: 'onetwo', expiresAt });
  });

  it('is not stored if only the other kind is kept', async () => {
    await setDays(setting, null);
    await setDays(other, 2);
    const writer = createContentWriter(kind, test);
    writer.keep({ ...content, id: 'b' });
    await writer.settled();
    expect(await find('b')).toBe(undefined);
    await setDays(other, null);
  });
});

it('what cannot be written is logged, without its text, and at most a hundred wait', async () => {
  const before = test.log.lines.length;
  let fail = (_error: Error) => {};
  const stuck = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const writer = createContentWriter('session', { ...test, db: { ...test.db, query: () => stuck } });
  for (let index = 0; index < 101; index += 1) writer.keep({ ...content, id: `c${index}` });
  const refused = () => test.log.lines.slice(before).filter(({ message }) => message === REFUSED);
  expect(refused()).toMatchObject([{ fields: { code: 'too_many' } }]);
  fail(new Error('gone'));
  await writer.settled();
  expect(refused()).toHaveLength(101);
  expect(JSON.stringify(refused())).not.toContain('a secret');
});
