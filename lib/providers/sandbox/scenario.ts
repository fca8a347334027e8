// The scenario words with which clients of test mode make the sandbox fail as upstreams do; see docs/api.md, "Test
// mode".

export type Scenario =
  | { readonly kind: 'fail' | 'moderated-input' | 'moderated-output' | 'hang' | 'nourl' | 'drop' | 'expired' | 'weird' }
  | { readonly kind: 'slow'; readonly seconds: number }
  | { readonly kind: 'ratelimit' | 'poll500'; readonly times: number };

const plain: readonly string[] = [
  'fail',
  'moderated-input',
  'moderated-output',
  'hang',
  'nourl',
  'drop',
  'expired',
  'weird',
];
/** Longer waits or more refusals would show nothing new. */
const MAX_SLOW_SECONDS = 3_600;
const MAX_TIMES = 1_000;

/** Parses a scenario word; undefined for an unknown word, which has no effect. */
export function parseScenario(word: string | undefined): Scenario | undefined {
  if (word === undefined) return undefined;
  // Safe: the list contains exactly the words of that union member.
  if (plain.includes(word)) return { kind: word } as Scenario;
  const [, kind, digits] = /^(slow|ratelimit|poll500):(\d{1,6})$/.exec(word) ?? [];
  if (kind === undefined || digits === undefined) return undefined;
  if (kind === 'slow') return { kind, seconds: Math.min(Number(digits), MAX_SLOW_SECONDS) };
  // Safe: the pattern allows three words, and the first has been handled.
  return { kind: kind as 'ratelimit' | 'poll500', times: Math.min(Number(digits), MAX_TIMES) };
}

/** Returns whether this video needs a rendering. The others end, or do not end, by the clock alone. */
export function isRendered(scenario: Scenario | undefined): boolean {
  return !(scenario && ['fail', 'moderated-input', 'moderated-output', 'hang', 'nourl'].includes(scenario.kind));
}
