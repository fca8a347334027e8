import type { VideoProgress } from '../../domain/video';
import type { Scenario } from './scenario';

/** Long enough that a first check still sees the video in progress. */
const failAfterMs = 1_000;
const withheldAfterMs = 2_000;

/** Returns the progress that the scenario alone determines at that time; undefined if the rendering determines it. */
export function scenarioProgress(scenario: Scenario | undefined, elapsedMs: number): VideoProgress | undefined {
  switch (scenario?.kind) {
    case 'hang':
      return { status: 'in_progress' };
    case 'slow':
      return elapsedMs < scenario.seconds * 1_000 ? until(scenario.seconds * 1_000, elapsedMs) : undefined;
    case 'moderated-input':
      return {
        status: 'failed',
        code: 'content_policy_violation',
        message:
          'The prompt or its media were refused by the content policy. Change them and try again. You were not charged.',
      };
    case 'moderated-output':
      return later(elapsedMs, withheldAfterMs, {
        status: 'failed',
        code: 'content_policy_violation',
        message:
          'The finished video was withheld by the content policy. Change the prompt and try again. You were not charged.',
      });
    case 'fail':
      return later(elapsedMs, failAfterMs, {
        status: 'failed',
        code: 'generation_failed',
        message: 'The generation failed, as the test scenario "fail" asks. You were not charged.',
      });
    case 'nourl':
      // A completed video without a file is a failure: the client would pay for nothing.
      return later(elapsedMs, failAfterMs, {
        status: 'failed',
        code: 'generation_failed',
        message: 'The provider reported success but gave no file. You were not charged.',
      });
    default:
      return undefined;
  }
}

function later(elapsedMs: number, afterMs: number, end: VideoProgress): VideoProgress {
  return elapsedMs < afterMs ? until(afterMs, elapsedMs) : end;
}

function until(endMs: number, elapsedMs: number): VideoProgress {
  return { status: 'in_progress', nextInMs: endMs - elapsedMs };
}
