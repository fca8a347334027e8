import DataLoader from 'dataloader';
import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { untilAborted } from '../../../io/until-aborted';

// Some vendors answer about many jobs in one request. Checks that run at the same time share such a request.

/** How long a check waits for others, in milliseconds. */
const GATHER_MS = 20;
/** The maximum number of jobs in a request: their ids are part of a URL, which should stay short. */
const MAX_JOBS = 50;

interface Question {
  readonly jobId: string;
  readonly call: Call;
}

/** Returns what the vendor says about a job; undefined if it must be asked about this job alone. */
export type AskTogether<Task> = (jobId: string, call: Call) => Promise<Task | undefined>;

/**
 * Gathers checks into requests. `askAll` asks about at most 50 jobs and resolves with the task of each, in the order of
 * the ids; undefined for a job that is not in the answer, or if the request was refused. In these cases, and if no
 * other check came at the same time, the caller must ask about the job alone: only that answer says what is wrong with
 * it. Rejects as `askAll` does, and when the call's own signal aborts; the request is aborted when all of its checks
 * are.
 */
export function gatherChecks<Task>(
  clock: Clock,
  askAll: (jobIds: readonly string[], call: Call) => Promise<readonly (Task | undefined)[]>,
): AskTogether<Task> {
  const questions = new DataLoader<Question, Task | undefined>(
    async (requests) => {
      const waiting = requests.filter(({ call }) => !call.signal.aborted);
      const [first, second] = waiting;
      if (!first || !second) return requests.map(() => undefined);
      const signal = whenAllAbort(waiting.map(({ call }) => call.signal));
      const found = await askAll(
        waiting.map(({ jobId }) => jobId),
        { ...first.call, signal },
      );
      return requests.map((question) => found[waiting.indexOf(question)]);
    },
    { cache: false, maxBatchSize: MAX_JOBS, batchScheduleFn: (send) => void clock.after(GATHER_MS, send) },
  );
  return (jobId, call) => untilAborted(questions.load({ jobId, call }), call.signal);
}

function whenAllAbort(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  let waiting = signals.length;
  const leave = () => {
    waiting -= 1;
    if (waiting === 0) controller.abort();
  };
  for (const signal of signals) signal.addEventListener('abort', leave, { once: true });
  return controller.signal;
}
