import { openHarness } from './harness';
import { isSmoke, print } from './measure';
import { coreCount } from './processes';
import type { Scenario } from './scenario';
import { content } from './scenarios/content';
import { cost } from './scenarios/cost';
import { json } from './scenarios/json';
import { jsonLarge } from './scenarios/json-large';
import { models } from './scenarios/models';
import { nextMount } from './scenarios/next-mount';
import { openLoop } from './scenarios/open-loop';
import { polls } from './scenarios/polls';
import { portkey } from './scenarios/portkey';
import { renders } from './scenarios/renders';
import { sse } from './scenarios/sse';
import { ssePaced } from './scenarios/sse-paced';
import { start } from './scenarios/start';
import { starts } from './scenarios/starts';
import { submits } from './scenarios/submits';
import { traces } from './scenarios/traces';

// `npm run bench` compares the gateway, with everything switched on, with servers that do the minimum of the same work.
// `-- --smoke` is a short run with gates at half the targets. `-- json sse` runs only the named scenarios. `--
// --report` prints the figures and never fails.

const scenarios: readonly Scenario[] = [
  json,
  jsonLarge,
  openLoop,
  sse,
  ssePaced,
  models,
  portkey,
  nextMount,
  content,
  submits,
  starts,
  polls,
  renders,
  start,
  traces,
  cost,
];

async function main(): Promise<void> {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const selects = (word: string, name: string) => name === word || name.startsWith(`${word}-`);
  const unknown = words.filter((word) => !scenarios.some(({ name }) => selects(word, name)));
  if (unknown.length > 0) {
    print(`Unknown scenario: ${unknown.join(', ')}. Available: ${scenarios.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  const selected = scenarios.filter(({ name, inSmokeRun }) =>
    words.length > 0 ? words.some((word) => selects(word, name)) : inSmokeRun || !isSmoke,
  );

  const harness = await openHarness();
  print(`Node ${process.version}, ${coreCount} cores, ${harness.database}, ${isSmoke ? 'smoke' : 'full'} run`);
  const missed: string[] = [];
  try {
    for (const scenario of selected) {
      if (!(await scenario.run(harness))) missed.push(scenario.name);
      await harness.endScenario();
    }
  } finally {
    await harness.close();
  }
  if (missed.length > 0) print(`Scenarios that missed their targets: ${missed.join(', ')}`);
  if (missed.length > 0 && !process.argv.includes('--report')) process.exitCode = 1;
}

void main();
