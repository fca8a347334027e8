import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, keptBy } from '../support/console';
import { checkTypes, makeCodeDirectory, runPageCode } from '../support/page-code';
import { createKeyForCards, textsOfCard } from '../support/setup-page';

// The cards for tools and SDKs: each is run as it is shown, with the key that the page has created.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');
let folder: Awaited<ReturnType<typeof makeCodeDirectory>>;
beforeAll(async () => {
  folder = await makeCodeDirectory();
});
afterAll(() => folder?.dispose());

describe.skipIf(skipReason)('the cards that set up a tool', () => {
  it('work as shown with a new key: terminal, SDKs, agents with tools', { timeout: 180_000 }, async () => {
    const visit = await running.open('/console/keys?mode=test');
    const { page, complaints } = visit;
    await page.getByRole('link', { name: 'Set up a tool' }).click();
    await createKeyForCards(visit);

    const [terminal = ''] = await textsOfCard(page, 'Terminal');
    const run = async (file: string, text: string) => {
      const { status, output } = await runPageCode({ language: 'sh', file, text }, folder.directory, {});
      expect([status, output]).toEqual([0, expect.any(String)]);
      return output;
    };
    expect(await run('terminal.sh', terminal)).toContain('"object":"credits"');
    const program = async (name: string, file: string) => {
      const texts = await textsOfCard(page, name);
      const code = { language: 'typescript', file, text: texts.at(-1) ?? '' };
      expect(await checkTypes([code], folder.directory)).toBe('');
      return run(
        `${file}.sh`,
        [...texts.slice(0, -1), `cat > ${file} <<'END'`, code.text, 'END', `npx tsx ${file}`].join('\n'),
      );
    };
    expect(await program('OpenAI SDK', 'video.mts')).toMatch(/^video_\w+ queued$/m);
    expect(await program('Anthropic SDK', 'message.mts')).toContain('end_turn');
    expect(await program('AI SDK', 'answer.mts')).toContain('stop');

    const [config = ''] = await textsOfCard(page, 'Agents with tools');
    const { url, headers } = (JSON.parse(config) as { mcpServers: { patchbay: { url: string; headers: HeadersInit } } })
      .mcpServers.patchbay;
    const client = new Client({ name: 'a-test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);

    // The agent itself is no package of this project; tests/e2e/coding-agents.test.ts installs and runs it.
    const [claude = ''] = await textsOfCard(page, 'Claude Code');
    const [, , , , command] = claude.split('\n');
    expect(command).toBe('claude');
    const checked = claude.replace(
      /claude$/,
      'curl -s $ANTHROPIC_BASE_URL/v1/models/$ANTHROPIC_MODEL -H "x-api-key: $ANTHROPIC_AUTH_TOKEN"',
    );
    expect(await run('claude.sh', checked)).toContain('"id":"sandbox-text"');

    await page.reload();
    await page.getByText('pb_test_YOUR_KEY').first().waitFor();
    const key = /pb_test_\w{36}/.exec(terminal)?.[0] ?? '';
    expect(key).not.toBe('');
    expect(await keptBy(page)).not.toContain(key);
    expect(complaints).toEqual([]);
  });

  it('offer no key to a viewer', async () => {
    const { page } = await running.signIn({ as: running.product.person, path: '/console/keys/setup' });
    await page.getByRole('heading', { name: 'Set up a tool', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /^Create a/ }).count()).toBe(0);
  });
});
