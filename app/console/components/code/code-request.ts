import type { Mode } from '../../../../lib/domain/video';

// What the code of a page does, before it is written in any language.

/** A text that the code reads from its environment, because a page cannot know it. */
export class EnvironmentText {
  constructor(readonly name: string) {}
}

export type CodeValue =
  string | number | boolean | null | EnvironmentText | readonly CodeValue[] | { readonly [name: string]: CodeValue };

export interface CodeRequest {
  /** Of this installation, without a slash at its end. */
  readonly baseUrl: string;
  readonly method: 'GET' | 'POST';
  /** Such as `/v1/videos`; it decides what the code does with the answer. */
  readonly path: string;
  readonly body?: Readonly<Record<string, CodeValue>>;
  /** The mode of the key that the code is to be run with. */
  readonly mode: Mode;
}

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'openai' | 'anthropic';

export interface CodeSample {
  readonly language: CodeLanguage;
  readonly title: string;
  /** The name under which it is meant to be saved. */
  readonly file: string;
  /** A command that it needs once. */
  readonly install?: string;
  readonly run: string;
  readonly code: string;
}
