import { readFileSync } from 'node:fs';
import path from 'node:path';
import { option } from './command';
import { usageError } from './command-error';

// Builds the body of a submission from the options of the command. The model decides which fields and values are
// accepted.

export interface VideoFieldOptions {
  readonly model?: string;
  readonly prompt?: string;
  readonly seconds?: string;
  readonly size?: string;
  readonly seed?: string;
  readonly image?: string;
  readonly webhook?: string;
  readonly param?: readonly string[];
}

export const videoFieldOptions = [
  option('--model <id>', 'the model (required); see "patchbay models --type video"'),
  option('--prompt <text>', 'a description of the video; - reads it from standard input'),
  option('--seconds <count>', "its duration (default: the model's)"),
  option('--size <size>', 'WIDTHxHEIGHT in pixels'),
  option('--seed <number>', 'the same seed makes similar videos'),
  option('--image <file>', 'the first frame: a file (PNG, JPEG or WebP) or an https URL'),
  option('--webhook <url>', 'receives the finished video with a POST'),
  option('--param <fields...>', 'other fields of the request as name=value, such as generate_audio=true'),
];

const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** Returns the body. Throws a CommandError if an option is invalid. */
export function videoBody(options: VideoFieldOptions, cwd: string): Record<string, unknown> {
  const { model, prompt, seconds, size, seed, image, webhook, param = [] } = options;
  if (model === undefined) throw usageError('Name the model with --model. "patchbay models --type video" lists them.');
  return {
    model,
    prompt,
    seconds,
    size,
    seed,
    image_url: image === undefined ? undefined : imageUrl(image, cwd),
    webhook,
    ...Object.fromEntries(param.map(parseField)),
  };
}

function imageUrl(image: string, cwd: string): string {
  if (/^(?:https?:|data:)/i.test(image)) return image;
  const type = imageTypes[path.extname(image).toLowerCase()];
  if (type === undefined) throw usageError(`--image must be a PNG, JPEG or WebP file or an https URL; got ${image}.`);
  try {
    return `data:${type};base64,${readFileSync(path.resolve(cwd, image)).toString('base64')}`;
  } catch {
    throw usageError(`The file ${image} cannot be read.`);
  }
}

/** Parses `name=value`. A value that is JSON is sent as such, any other as text. */
function parseField(field: string): [string, unknown] {
  const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(field) ?? [];
  if (name === undefined) throw usageError(`--param needs name=value; got "${field}".`);
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}
