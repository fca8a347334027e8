import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { withKey } from '../support/console-keys';
import { projectRoot } from '../support/database';
import { installOutside } from '../support/outside-packages';
import { createKeyForCards, textsOfCard } from '../support/setup-page';

// Real coding agents, set up as the console and the documentation show: their model is the scripted one of the sandbox,
// their tools those of /mcp.

const AGENT_TIMEOUT_MS = 120_000;

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);
const agents = skipReason
  ? undefined
  : await installOutside('coding agents', ['@anthropic-ai/claude-code@2', 'opencode-ai@1']);

const running = consoleOfFile('viewer');
afterAll(() => agents?.dispose());

/** What a shell script printed in the folder of the agents, where `claude` and `opencode` are commands. */
async function shell(script: string): Promise<string> {
  // An agent waits for the end of its input unless that is a terminal.
  const { directory: home, commands } = agents!;
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', `exec </dev/null\n${script}`], {
    cwd: home,
    timeout: AGENT_TIMEOUT_MS,
    env: {
      ...process.env,
      PATH: `${commands}:${process.env.PATH}`,
      HOME: home,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  });
  return stdout;
}

const linesOf = (output: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function openCards() {
  const visit = await running.open('/console/keys/setup?mode=test');
  await createKeyForCards(visit);
  return visit.page;
}

describe.skipIf(!agents)('a coding agent', () => {
  it('Claude Code answers with a model of ours, and makes a video with the tools', { timeout: 300_000 }, async () => {
    const page = await openCards();
    const [variables = ''] = await textsOfCard(page, 'Claude Code');
    const [config = ''] = await textsOfCard(page, 'Agents with tools');
    const key = /pb_test_\w{36}/.exec(variables)?.[0] ?? '';
    await writeFile(path.join(agents!.directory, '.mcp.json'), config);
    expect(variables.endsWith('\nclaude')).toBe(true);
    const ask = async (prompt: string, options: string) =>
      linesOf(await shell(`${variables} -p '${prompt}' --output-format stream-json --verbose --tools "" ${options}`));

    const [hello] = (await ask('Hello', '--strict-mcp-config')).slice(-1);
    expect(hello).toMatchObject({ subtype: 'success', result: expect.stringContaining('a scripted model') as string });

    const lines = await ask(
      '[[call:mcp__patchbay__create_video {"model": "sandbox-t2v", "prompt": "A boat", "seconds": 4}]]',
      '--mcp-config .mcp.json --strict-mcp-config --allowedTools "mcp__patchbay__*"',
    );
    expect(lines[0]).toMatchObject({
      type: 'system',
      model: 'sandbox-text',
      mcp_servers: [{ name: 'patchbay', status: 'connected' }],
    });
    expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', num_turns: 2 });
    const made = await (await withKey(running.product, '/v1/videos', key)).json();
    expect(made).toMatchObject({ data: [{ model: 'sandbox-t2v', seconds: '4' }] });
  });

  it('Claude Code connects with the command of the documentation', { timeout: 300_000 }, async () => {
    const text = await readFile(path.join(projectRoot, 'docs/mcp.md'), 'utf8');
    const command = /`(claude mcp add [^`]*)`/.exec(text)?.[1] ?? '';
    expect(command).toContain('http://127.0.0.1:3000/mcp');
    const { baseUrl, firstRun } = running.product;
    const output = await shell(
      `export PATCHBAY_API_KEY=${firstRun.keys.test}\n${command.replace('http://127.0.0.1:3000', baseUrl)}\nclaude mcp list`,
    );
    expect(output).toMatch(/patchbay: \S+\/mcp \(HTTP\) - \S+ Connected/);
  });

  it('OpenCode answers with a model of ours, and reads the credits with the tools', { timeout: 300_000 }, async () => {
    const page = await openCards();
    const [config = ''] = await textsOfCard(page, 'OpenCode');
    await writeFile(path.join(agents!.directory, 'opencode.json'), config);
    const lines = linesOf(await shell("opencode run '[[call:patchbay_read_credits]]' --format json"));
    const call = lines.find(({ type }) => type === 'tool_use') as
      { part: { tool: string; state: { status: string; output: string } } } | undefined;
    expect(call?.part).toMatchObject({ tool: 'patchbay_read_credits', state: { status: 'completed' } });
    expect(JSON.parse(call?.part.state.output ?? '')).toMatchObject({ object: 'credits', mode: 'test' });
    expect(lines.at(-1)).toMatchObject({ type: 'step_finish', part: { reason: 'stop' } });
  });
});
