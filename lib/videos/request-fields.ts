import { GatewayError } from '../domain/errors';
import { isObject, shownIgnoredParams, checkWellFormed, type Fields } from '../domain/json';

// Reads the fields of a request one by one, each with its type. A form carries only text, so there numbers and booleans
// are parsed from text; in JSON a wrong type is an error. Fields that nothing reads are not checked; `ignored` lists
// their names. Not zod, because the model decides which fields are read and in which order, and because the errors name
// its limits; the contract has a schema with the same fields (lib/contract/videos.ts).

const MAX_TEXT = 8_192;

/** The fields of one request. `Name` lists the fields that may be read: those of a schema in the contract. */
export class RequestFields<Name extends string = string> {
  private readonly read = new Set<string>();

  constructor(
    private readonly values: Fields,
    private readonly textOnly: boolean,
  ) {}

  /** Returns the raw value and marks the field as read; undefined if it is absent or null. */
  raw(name: Name): unknown {
    this.read.add(name);
    return this.has(name) ? this.values[name] : undefined;
  }

  has(name: Name): boolean {
    return this.sent(name);
  }

  /** Returns whether a field of this name was sent with a value other than null. */
  sent(name: string): boolean {
    // Own keys only: a body without a field `constructor` must not inherit one.
    return Object.hasOwn(this.values, name) && this.values[name] !== undefined && this.values[name] !== null;
  }

  text(name: Name, maxLength = MAX_TEXT): string | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : checkText(name, value, maxLength);
  }

  boolean(name: Name): boolean | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (this.textOnly && typeof value === 'string' && /^(?:true|false)$/i.test(value))
      return value.toLowerCase() === 'true';
    throw new GatewayError('invalid_type', `${name} must be true or false.`, { param: name });
  }

  /** Reads an integer from `min` to `max`, or its decimal text. */
  integer(name: Name, min: number, max: number): number | undefined {
    const raw = this.raw(name);
    if (raw === undefined) return undefined;
    const value = typeof raw === 'string' && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw;
    if (typeof value !== 'number')
      throw new GatewayError('invalid_type', `${name} must be a whole number.`, { param: name });
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      throw new GatewayError('unsupported_value', `${name} must be a whole number between ${min} and ${max}.`, {
        param: name,
        details: { min, max },
      });
    }
    return value;
  }

  oneOf(name: Name, allowed: readonly string[]): string | undefined {
    const value = this.text(name, 200);
    if (value === undefined || allowed.includes(value)) return value;
    throw new GatewayError('unsupported_value', `${name} must be one of ${allowed.join(', ')}.`, {
      param: name,
      details: { allowed },
    });
  }

  /** Reads an object with the URL of an image; in a form also as JSON text. */
  imageObject(name: Name): Fields | undefined {
    const value = this.unfolded(name);
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      throw new GatewayError('invalid_type', `${name} must be an object such as {"image_url": "https://…"}.`, {
        param: name,
      });
    }
    return value;
  }

  /**
   * Reads a list of URLs. Each is a string, or an object with the string under one of `keys`. In a form, a single value
   * is a list of one.
   */
  urls(name: Name, keys: readonly string[]): readonly string[] | undefined {
    const raw = this.unfolded(name);
    if (raw === undefined) return undefined;
    const list = this.textOnly && typeof raw === 'string' ? [raw] : raw;
    if (!Array.isArray(list))
      throw new GatewayError('invalid_type', `${name} must be a list of URLs.`, { param: name });
    return list.map((item: unknown, index) => {
      const inner =
        typeof item === 'object' && item !== null
          ? keys.map((key) => (item as Fields)[key]).find((value) => value !== undefined && value !== null)
          : item;
      return checkText(`${name}[${index}]`, inner, Infinity);
    });
  }

  /** Returns the raw value. In a form, text that looks like a JSON object or array is parsed. */
  private unfolded(name: Name): unknown {
    const value = this.raw(name);
    if (!this.textOnly || typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }

  /** Returns the names of the fields that were not read, if they are valid in a header; at most 32. */
  ignored(): string[] {
    return shownIgnoredParams(Object.keys(this.values).filter((name) => !this.read.has(name)));
  }
}

/** Returns the value if it is a string that a database and a provider accept. Throws the error for the caller. */
export function checkText(param: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw new GatewayError('invalid_type', `${param} must be text.`, { param });
  if (value.length > maxLength) {
    throw new GatewayError(
      'string_too_long',
      `${param} may have at most ${maxLength.toLocaleString('en')} characters; got ${value.length.toLocaleString('en')}.`,
      { param },
    );
  }
  checkWellFormed(param, value);
  return value;
}
