import type { MediaRole, VideoOrder, VideoProgress } from '../../../domain/video';

// The messages between the process and its rendering threads.

export type FailureCode = Extract<VideoProgress, { status: 'failed' }>['code'];

export interface TaskMedia {
  readonly role: MediaRole;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface RenderTask {
  /** The order without its media: their URLs may be megabytes long, and the thread cannot fetch them anyway. */
  readonly order: VideoOrder;
  /** The model name as painted in the video. */
  readonly modelName: string;
  readonly media: readonly TaskMedia[];
  readonly outputPath: string;
}

/** Measured from the finished file. */
export interface RenderedFacts {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly durationSeconds: number;
}

export type RenderAnswer =
  | { readonly status: 'rendered'; readonly facts: RenderedFacts }
  | { readonly status: 'failed'; readonly code: FailureCode; readonly message: string };

/** Thrown if the order cannot be rendered and a retry would not help. The message is for the client. */
export class RenderFailure extends Error {
  override readonly name = 'RenderFailure';

  constructor(
    readonly code: FailureCode,
    message: string,
  ) {
    super(message);
  }
}
