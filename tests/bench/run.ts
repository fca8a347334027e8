import { say, smoke } from './measure';
import { cores } from './processes';
import type { Scenario } from './scenario';
import { content } from './scenarios/content';
import { cost } from './scenarios/cost';
import { json } from './scenarios/json';
import { jsonLarge } from './scenarios/json-large';
import { models } from './scenarios/models';
import { nextMount } from './scenarios/next-mount';
import { waits } from './scenarios/open-loop';
import { polls } from './scenarios/polls';
import { portkey } from './scenarios/portkey';
import { sse } from './scenarios/sse';
import { ssePaced } from './scenarios/sse-paced';
import { startUp } from './scenarios/start';
import { submits } from './scenarios/submits';
import { openStage } from './stage';

// `npm run bench` compares the gateway, with everything switched on, with servers that do the minimum of the same work.
// `-- --smoke` is short, with gates at half the targets; `-- json sse` runs only those; `-- --report` prints and never fails.

const scenarios: readonly Scenario[] = [
  json,
  jsonLarge,
  waits,
  sse,
  ssePaced,
  models,
  portkey,
  nextMount,
  content,
  submits,
  polls,
  startUp,
  cost,
];

async function main(): Promise<void> {
  const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const isMeant = (name: string, word: string) => name === word || name.startsWith(`${word}-`);
  const unknown = wanted.filter((word) => !scenarios.some(({ name }) => isMeant(name, word)));
  if (unknown.length > 0) {
    say(`There is no scenario ${unknown.join(', ')}. There are ${scenarios.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  const chosen = scenarios.filter(({ name, isShort }) =>
    wanted.length > 0 ? wanted.some((word) => isMeant(name, word)) : isShort || !smoke,
  );

  const stage = await openStage();
  say(`Node ${process.version}, ${cores} cores, ${stage.database}, ${smoke ? 'smoke' : 'full'} run`);
  const missed: string[] = [];
  try {
    for (const scenario of chosen) {
      if (!(await scenario.run(stage))) missed.push(scenario.name);
      await stage.endScenario();
    }
  } finally {
    await stage.close();
  }
  if (missed.length > 0) say(`Targets were missed: ${missed.join(', ')}`);
  if (missed.length > 0 && !process.argv.includes('--report')) process.exitCode = 1;
}

void main();
