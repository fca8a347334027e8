import type { z } from 'zod';
import type { ErrorCode } from '../domain/error-rules';
import { GatewayError } from '../domain/errors';
import { issueReason } from './issue-reason';

// Parses a body with a schema into the domain's values, or throws one error. The error messages are in the schemas,
// next to their rules, or follow from the type; this module adds the public error code and the parameter's path.

/**
 * Parses a body. Throws the first error: unknown fields as `unsupported_parameter`, absent ones as
 * `missing_required_parameter`.
 */
export function parseBody<Out>(schema: z.ZodType<Out>, body: unknown): Out {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GatewayError('invalid_body', 'The body must be a JSON object.');
  }
  const parsed = schema.safeParse(body, { reportInput: true, error: sentenceOf });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) throw new Error('zod refused a body but reported no issue.');

  if (issue.code === 'unrecognized_keys') {
    // The name comes from the caller and may have any length.
    const param = pathText([...issue.path, (issue.keys[0] ?? '').slice(0, 64)]);
    throw new GatewayError('unsupported_parameter', `${param} is not a parameter of this request. Remove it.`, {
      param,
    });
  }
  const param = pathText(issue.path);
  const absent = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  if (absent) throw new GatewayError('missing_required_parameter', `${param} is required. ${issue.message}`, { param });
  throw new GatewayError(codeOf(issue), issue.message, { param });
}

/** Returns the error message for a rule whose schema has none of its own. */
function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  const reason = issueReason(issue);
  return reason === undefined ? undefined : `${pathText(issue.path ?? [])} ${reason}.`;
}

function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  if (issue.code === 'invalid_type') return 'invalid_type';
  if (issue.code === 'too_big' && issue.origin === 'string') return 'string_too_long';
  if (issue.code === 'custom' && issue.params?.code === 'invalid_type') return 'invalid_type';
  if (issue.code === 'custom' && issue.params?.code === 'invalid_character') return 'invalid_character';
  return 'unsupported_value';
}

/** Formats a path as text: `limit.amount`, `allowed_models[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
    .join('');
}
