import { systemClock } from '../../lib/domain/clock';
import { createLevels } from '../../lib/limits/levels';
import { createWindowCounters } from '../../lib/limits/window-counters';
import { openRedis } from '../../lib/redis/open-redis';
import { recordLog } from './log';

// The counters of the limits in a process of their own, on a real Redis, for a test that sends it commands.

export type LimitsCommand =
  | {
      readonly do: 'take';
      readonly times: number;
      readonly name: string;
      readonly max: number;
      readonly windowMs: number;
    }
  | { readonly do: 'open'; readonly times: number; readonly name: string; readonly max: number }
  | { readonly do: 'close'; readonly times: number; readonly name: string }
  | { readonly do: 'read level'; readonly name: string }
  | { readonly do: 'count processes' }
  | { readonly do: 'ping' };

const [url = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const redis = await openRedis(url, recordLog());
  const levels = createLevels({ clock: systemClock, log: recordLog(), shared: redis.levels, configuredProcesses: 1 });
  const windows = createWindowCounters({ clock: systemClock, shared: redis.windows, processes: levels.processes });

  /** The number of what was allowed. */
  async function run(command: LimitsCommand): Promise<number> {
    const repeat = <T>(times: number, each: () => T) => Promise.all(Array.from({ length: times }, each));
    switch (command.do) {
      case 'take':
        return (await repeat(command.times, () => windows.take(command))).filter(({ allowed }) => allowed).length;
      case 'open':
        return (await repeat(command.times, () => levels.take(command.name, command.max))).filter(Boolean).length;
      case 'close':
        await repeat(command.times, () => levels.release(command.name));
        return command.times;
      case 'read level':
        return levels.read(command.name);
      case 'count processes':
        return levels.processes();
      case 'ping':
        return redis.ping().then(
          () => 1,
          () => 0,
        );
    }
  }

  process.on('message', (command: LimitsCommand) => void run(command).then((result) => process.send?.(result)));
  process.once('disconnect', () => process.exit(0));
  while (
    !(await redis.ping().then(
      () => true,
      () => false,
    ))
  )
    await systemClock.sleep(20);
  levels.start();
  process.send?.('ready');
}

void main();
