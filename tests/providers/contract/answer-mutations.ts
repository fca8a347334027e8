import { expect } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import { isObject } from '../../../lib/domain/json';
import type { VideoProgress } from '../../../lib/domain/video';
import { parseJson } from '../../../lib/providers/kit/http/ask-json';
import { proofStep } from '../../support/proof-runs';
import type { AlterAnswer, VendorReply } from '../../support/upstreams/fake-video-vendor';
import type { VendorContract, VendorSubject } from '../support/vendor-subject';

// Changes the answers of a vendor: each field in turn is missing, of another type, out of range or no storable text. Many
// changes in one test, because each takes some milliseconds.

/** Halves of surrogate pairs and NUL are refused by the database, and numbers above 2^63 too. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  '',
  0,
  -1,
  1e308,
  9_007_199_254_740_991,
  true,
  {},
  [],
  { toString: 1, valueOf: 1 },
  'x'.repeat(10_000),
  'a\0b',
  'a\ud800b',
  'javascript:alert(1)',
  'http://127.0.0.1:1/a.mp4',
  'http://user:password@127.0.0.1:1/a.mp4',
];

/** In a short run, one in this many is tested. */
const STEP = 8;

type Path = readonly (string | number)[];

interface Mutation {
  readonly path: Path;
  readonly wrong: unknown;
}

/** Of each field of an answer, and of the first entry of each list in it. */
function allMutationsOf(value: unknown, at: Path = []): Mutation[] {
  const entries = Array.isArray(value) ? value.slice(0, 1) : isObject(value) ? value : {};
  return Object.entries(entries).flatMap(([name, inner]) => {
    const path = [...at, name];
    const wrong = typeof inner === 'string' ? [...WRONG, `${inner}\0b`, `${inner}\ud800b`] : WRONG;
    return [...wrong.map((each) => ({ path, wrong: each })), ...allMutationsOf(inner, path)];
  });
}

function withValue(value: unknown, [name, ...rest]: Path, wrong: unknown): unknown {
  if (name === undefined) return wrong;
  if (Array.isArray(value))
    return value.map((inner, at) => (String(at) === String(name) ? withValue(inner, rest, wrong) : inner));
  if (!isObject(value) || !(name in value)) return value;
  return { ...value, [name]: withValue(value[name], rest, wrong) };
}

/** Every field of this answer with every wrong value; in a short run some of them, and others for each vendor. */
function mutationsOf(answer: unknown, salt: string): Mutation[] {
  const step = proofStep(STEP);
  const first = [...salt].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return allMutationsOf(answer).filter((_mutation, at) => (at + first) % step === 0);
}

export const isStorable = (value: unknown) =>
  !/\\u0000|\\ud[89a-f]/i.test(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '',
  );

/** Some fakes write their JSON themselves, because of numbers that JavaScript does not have. */
export const contentOf = ({ body }: VendorReply): unknown =>
  typeof body === 'string' ? parseJson(Buffer.from(body)) : body;

/** What is wrong with the outcome of a check; undefined if nothing is. */
export function problemOf(outcome: VideoProgress | Error): string | undefined {
  if (outcome instanceof Error) {
    if (!isGatewayError(outcome)) return `an error of ours: ${outcome.message}`;
    return outcome.extra.upstream?.retry === 'later' ? undefined : `no later check after ${outcome.message}`;
  }
  if (!isStorable(outcome)) return 'not storable';
  if (outcome.status === 'failed' && !/^[A-Z].{10,}\.$/s.test(outcome.message))
    return `the sentence ${outcome.message}`;
  if (outcome.status !== 'completed') return undefined;
  const { publicUrl = 'https://none.example', file } = outcome.video;
  if (!/^https?:\/\/[^/@]+(?:\/|$)/.test(publicUrl)) return `the URL ${publicUrl}`;
  return JSON.stringify(file).length > 9_000 ? 'a file reference without a limit' : undefined;
}

/** Runs the work once for each mutation of the last answer that it got unaltered; returns the problems. */
export async function forEachMutation<Outcome>(
  { subject, contract }: { readonly subject: VendorSubject; readonly contract: VendorContract },
  work: () => Promise<Outcome>,
  isMeant: AlterAnswer extends (reply: never, request: infer Request) => unknown
    ? (request: Request) => boolean
    : never,
  judge: (outcome: Outcome | Error) => string | undefined,
): Promise<readonly string[]> {
  const { vendor } = subject;
  const samples = new Map<string, unknown>();
  vendor.alterAnswers((reply, request) => {
    const content = contentOf(reply);
    if (isMeant(request) && isObject(content)) samples.set(request.path, content);
    return reply;
  });
  await work().catch(() => undefined);
  expect(samples.size).toBeGreaterThan(0);
  const problems: string[] = [];
  try {
    for (const sample of samples.values())
      for (const { path, wrong } of mutationsOf(sample, contract.definition.id)) {
        vendor.alterAnswers((reply, request) => {
          const content = contentOf(reply);
          return isMeant(request) && isObject(content) ? { ...reply, body: withValue(content, path, wrong) } : reply;
        });
        const problem = judge(await work().catch((error: unknown) => error as Error));
        if (problem !== undefined)
          problems.push(`${path.join('.')} = ${(JSON.stringify(wrong) ?? 'undefined').slice(0, 40)}: ${problem}`);
      }
  } finally {
    vendor.alterAnswers();
  }
  return problems;
}
