import { GatewayError } from '../domain/errors';

// Parsers for the fields of a client's message. Each field is optional and is rejected if its type is wrong. Unknown
// fields are ignored.

export type Message = Readonly<Record<string, unknown>>;

/**
 * Parses a text message into an object with a `type`. Throws `invalid_json`, `invalid_body` or
 * `missing_required_parameter`.
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
  if (typeof type !== 'string')
    throw new GatewayError('missing_required_parameter', 'The message lacks its "type".', { param: 'type' });
  return { ...message, type };
}

export function requiredText(message: Message, name: string, says: string): string {
  const value = optionalText(message, name);
  if (value === undefined || value.trim() === '')
    throw new GatewayError('missing_required_parameter', `${name} is missing: ${says}.`, { param: name });
  return value;
}

export function optionalText(message: Message, name: string): string | undefined {
  const value = message[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new GatewayError('invalid_type', `${name} must be a string.`, { param: name });
  return value;
}

export function optionalNumber(message: Message, name: string): number | undefined {
  const value = message[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new GatewayError('invalid_type', `${name} must be a number.`, { param: name });
  return value;
}

/** Creates an error that lists the allowed values. */
export function unsupported(
  name: string,
  value: unknown,
  modelId: string,
  allowed: readonly (string | number)[],
): GatewayError {
  const shown = String(value).slice(0, 40);
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
export function parseLanguage(message: Message, modelId: string, languages: readonly string[]): string | undefined {
  const language = optionalText(message, 'language');
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
