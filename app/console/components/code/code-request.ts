import type { Mode } from '../../../../lib/domain/video';

// The request of a code sample, independent of the language.

/** A value that the code reads from its environment, because the page cannot know it. */
export class EnvironmentText {
  constructor(readonly name: string) {}
}

export type CodeValue =
  string | number | boolean | null | EnvironmentText | readonly CodeValue[] | { readonly [name: string]: CodeValue };

export interface CodeRequest {
  /** Base URL of this installation, without a trailing slash. */
  readonly baseUrl: string;
  readonly method: 'GET' | 'POST';
  /** Such as `/v1/videos`. Decides what the code does with the response. */
  readonly path: string;
  readonly body?: Readonly<Record<string, CodeValue>>;
  /** The mode of the key that the code needs. */
  readonly mode: Mode;
}

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'openai' | 'anthropic' | 'ai-sdk' | 'browser';

export interface CodeSample {
  readonly language: CodeLanguage;
  readonly title: string;
  /** File name of the sample. */
  readonly file: string;
  /** A command to run once before, such as an installation. */
  readonly install?: string;
  readonly run: string;
  /** Set if the sample needs a live key with this scope, instead of a key of the request's mode. */
  readonly scope?: 'manage';
  readonly code: string;
}
