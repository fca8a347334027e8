import type { z } from 'zod';
import { GatewayError } from '../domain/errors';

// Reads the fields of a client's message by the schemas of the contract. Unknown fields are ignored.

export type Message = Readonly<Record<string, unknown>>;

/**
 * Parses a text message into an object with a `type`. Throws `invalid_json`, `invalid_body`,
 * `missing_required_parameter` or `invalid_type`.
 */
export function parseMessage(text: string): Message & { readonly type: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GatewayError('invalid_json', 'The message is not valid JSON. Send one JSON object in each text message.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GatewayError('invalid_body', 'The message must be a JSON object with a "type".');
  }
  // Safe: an object parsed from JSON.
  const message = value as Message;
  const type = message['type'];
  if (type === undefined)
    throw new GatewayError('missing_required_parameter', 'The message has no "type".', { param: 'type' });
  if (typeof type !== 'string')
    throw new GatewayError('invalid_type', 'The "type" of the message must be a string.', { param: 'type' });
  return { ...message, type };
}

/**
 * Reads one field of a message by the message's schema; undefined if it is absent or null. Throws `invalid_type`.
 * Fields are read one by one, because the model that the first field names determines the others.
 */
export function readField<Shape extends z.ZodRawShape & Record<Name, z.ZodType>, Name extends string>(
  schema: z.ZodObject<Shape>,
  message: Message,
  name: Name,
): NonNullable<z.infer<Shape[Name]>> | undefined {
  const value = message[name];
  if (value === undefined || value === null) return undefined;
  const parsed = schema.shape[name].safeParse(value);
  if (parsed.success) return parsed.data ?? undefined;
  throw new GatewayError('invalid_type', parsed.error.issues[0]?.message ?? `${name} is not valid.`, { param: name });
}

/** A text field that must not be blank. Throws `missing_required_parameter` with the `description`, or `invalid_type`. */
export function readText<Shape extends z.ZodRawShape & Record<Name, z.ZodString>, Name extends string>(
  schema: z.ZodObject<Shape>,
  message: Message,
  name: Name,
  description: string,
): string {
  const value = readField(schema, message, name);
  if (value === undefined || value.trim() === '')
    throw new GatewayError('missing_required_parameter', `${name} is missing: ${description}.`, { param: name });
  return value;
}

/** Creates an error that lists the allowed values. */
export function unsupported(
  name: string,
  value: unknown,
  modelId: string,
  allowed: readonly (string | number)[],
): GatewayError {
  // An empty text would leave a gap in the sentence.
  const shown = value === '' ? '""' : String(value).slice(0, 40);
  return new GatewayError(
    'unsupported_value',
    `${name} ${shown} is not supported by ${modelId}. Use ${listed(allowed)}.`,
    { param: name, details: { allowed } },
  );
}

function listed(allowed: readonly (string | number)[]): string {
  const [last = '', ...others] = allowed.toReversed();
  return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} or ${last}`;
}

const LANGUAGE = /^[a-z]{2}$/;

/** Returns an ISO-639-1 code that the model supports, or undefined if none was sent. */
export function checkLanguage(
  language: string | undefined,
  modelId: string,
  languages: readonly string[],
): string | undefined {
  if (language === undefined) return undefined;
  if (!LANGUAGE.test(language)) {
    throw new GatewayError(
      'unsupported_value',
      'language must be a two-letter ISO-639-1 code, such as "en". Leave it out to let the model decide.',
      { param: 'language' },
    );
  }
  if (!languages.includes(language)) throw unsupported('language', language, modelId, languages);
  return language;
}
