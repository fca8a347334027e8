import type { z } from 'zod';
import { anyOf, shown } from '../domain/phrases';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * Returns why a value breaks a rule whose schema has no error message of its own, without subject and full stop: `must
 * be a number; got "today"`. Undefined for the kinds of rules whose schemas always have a message.
 */
export function issueReason(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): string | undefined {
  const got = issue.input === undefined ? '' : `; got ${shown(issue.input)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}${got}`;
    case 'invalid_value':
      return `must be ${anyOf(issue.values.map((value) => JSON.stringify(value)))}${got}`;
    case 'too_small':
      return boundOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum, got);
    case 'too_big':
      return boundOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum, got);
    default:
      return undefined;
  }
}

function boundOf(origin: string, comparison: string, bound: number | bigint, got: string): string {
  const part = origin === 'string' ? 'character' : origin === 'array' ? 'element' : undefined;
  if (!part) return `must be ${comparison} ${bound}${got}`;
  if (comparison === 'at least' && Number(bound) === 1) return 'must not be empty';
  return `must have ${comparison} ${bound} ${part}${Number(bound) === 1 ? '' : 's'}`;
}
