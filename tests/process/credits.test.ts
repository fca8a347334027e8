import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../lib/db/check-books';
import { makeCheckout, type Checkout } from '../support/checkout';
import { findProgram } from '../support/child-server';
import { openDatabaseAt, startPostgres } from '../support/postgres';
import { isFullRun, leftToGate } from '../support/proof-runs';

// The operator's command and the commands of docs/operating.md, in processes as an operator runs them.

const postgres = await startPostgres();
afterAll(() => postgres?.close());

/** Long enough to start and stop servers on any machine. */
const LONG_MS = 180_000;

const json = { 'content-type': 'application/json' };
const message = JSON.stringify({
  model: 'sandbox-text',
  max_tokens: 200,
  messages: [{ role: 'user', content: 'Hello' }],
});

describe.skipIf(!postgres)('an external database, by docs/operating.md', () => {
  let checkout: Checkout;
  beforeAll(async () => {
    checkout = await makeCheckout([findProgram('createdb', '/usr/lib/postgresql')!]);
  });
  afterAll(() => checkout.remove());

  it(
    'leads from an empty database to live requests that are paid for',
    async () => {
      const [prepare, start, begin, request, ...others] = await checkout.operating('An external database');
      expect(others).toEqual([]);
      const server = { PGHOST: '127.0.0.1', PGPORT: String(postgres!.port), PGUSER: 'postgres' };
      const databaseUrl = `postgres://postgres@127.0.0.1:${postgres!.port}/patchbay`;
      const prepared = await checkout.run(
        prepare!.replace('postgres://user:password@localhost:5432/patchbay', databaseUrl),
        server,
      );
      expect(prepared.code, prepared.stderr).toBe(0);
      const running = await checkout.start(start!);
      const db = await openDatabaseAt(databaseUrl);
      try {
        const { code, stdout, stderr } = await checkout.run(`${begin}\n${request}\necho; echo "KEY $PATCHBAY_API_KEY"`);
        expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
        expect(stdout).toContain('Done: granted $25 of live credits in org_');
        expect(stdout).toMatch(/"type":"message".*"stop_reason":"end_turn"/);
        expect(stdout).toMatch(/org_[0-9a-f]{32} +My organisation +\$24\.9\d* /);
        const key = /^KEY (pb_live_\w+)$/m.exec(stdout)?.[1];
        const video = /"id":"(video_[0-9a-f]{32})"/.exec(stdout)?.[1];
        const ask = async (target: string) =>
          (await (
            await fetch(`http://127.0.0.1:${checkout.port}${target}`, { headers: { authorization: `Bearer ${key}` } })
          ).json()) as Record<string, unknown>;
        await expect
          .poll(async () => (await ask(`/v1/videos/${video}`)).status, { timeout: 50_000, interval: 250 })
          .toBe('completed');

        // The ledger: the grants equal the balance plus the cost of the two requests.
        const credits = async () => {
          const { rows } = await db.query(
            "select available_nano_usd as available, held_nano_usd as held, spent_nano_usd as spent from accounts where mode = 'live'",
          );
          return rows.map(({ available, held, spent }) => [
            BigInt(String(available)) + BigInt(String(spent)),
            BigInt(String(held)),
            BigInt(String(spent)),
          ]);
        };
        const { rows: costs } = await db.query(
          "select (select sum(cost_nano_usd) from messages where mode = 'live' and outcome = 'completed') as message, (select sum(cost_nano_usd) from videos where mode = 'live') as video",
        );
        const [ofMessage, ofVideo] = [BigInt(String(costs[0]?.message)), BigInt(String(costs[0]?.video))];
        expect(ofMessage).toBeGreaterThan(0n);
        expect(ofVideo).toBe(50_000_000n);
        await expect.poll(credits, { timeout: 10_000 }).toEqual([[25_000_000_000n, 0n, ofMessage + ofVideo]]);
        const { rows: kinds } = await db.query(
          "select distinct kind from ledger_entries where mode = 'live' and kind in ('grant', 'hold', 'capture') order by kind",
        );
        expect(kinds.map(({ kind }) => kind)).toEqual(['capture', 'grant', 'hold']);
        expect(await checkBooks(db)).toEqual([]);

        const refund = `refund --amount 0.05 --subject ${video} --reference back --reason Test --json`;
        expect(JSON.parse((await checkout.command('credits', refund)).stdout)).toMatchObject({
          kind: 'refund',
          amount: '0.05',
          subject: video,
        });
        expect(await checkout.command('credits', refund.replace('--reference back', '--reference more'))).toMatchObject(
          {
            code: 1,
            stdout: expect.stringContaining('refund_exceeds_charge') as string,
            stderr: '',
          },
        );
        expect(await checkBooks(db)).toEqual([]);
      } finally {
        await db.close();
        await running.stop();
      }
    },
    LONG_MS,
  );
});

describe('the embedded database, after the first $25', () => {
  let checkout: Checkout;
  beforeAll(async () => {
    checkout = await makeCheckout();
  });
  afterAll(() => checkout.remove());
  const credits = (text: string, env?: Readonly<Record<string, string>>) => checkout.command('credits', text, env);

  it(
    'live requests are refused with what to do, and answered again after the documented command',
    async () => {
      // As operators run it: npm passes on the exit code, and prints nothing.
      expect(await checkout.run('npm run --silent credits -- list')).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^There is no operator token in .*\.data\/secrets\.json\. Start Patchbay once/,
        ) as string,
      });
      const running = await checkout.start('npm start');
      try {
        const key = (await checkout.run(`node -p "require('./.data/first-run.json').keys.live"`)).stdout.trim();
        const post = () =>
          fetch(`http://127.0.0.1:${checkout.port}/v1/messages`, {
            method: 'POST',
            headers: { ...json, authorization: `Bearer ${key}` },
            body: message,
          });
        expect((await post()).status).toBe(200);
        // Removes the balance, which is not known to the last digit before the message is charged.
        const left = async () =>
          (
            JSON.parse((await credits('list --json')).stdout) as {
              credits: { live: { available: string; held: string; spent: string } };
            }[]
          )[0]!.credits.live;
        await expect.poll(async () => (await left()).held, { timeout: 20_000, interval: 250 }).toBe('0');
        expect(
          await credits(`adjust --amount -${(await left()).available} --reference empty --reason "All spent"`),
        ).toMatchObject({ code: 0, stderr: '' });
        const refused = await post();
        expect([refused.status, await refused.json()]).toEqual([
          402,
          expect.objectContaining({
            error: expect.objectContaining({
              message: expect.stringMatching(
                /\$0 of the live credits are available\. For more credits, ask the operator of this installation\.$/,
              ) as string,
            }) as object,
          }),
        ]);

        const [topUp] = await checkout.operating('Credits');
        expect(await checkout.run(topUp!)).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(
            /Done: granted \$25 of live credits in org_\w+ \(tr_\w+, reference top-up-1\)\. Available right after it: \$25\./,
          ) as string,
        });
        expect(await checkout.run(topUp!)).toMatchObject({
          code: 0,
          stdout: expect.stringContaining(
            'This reference was used before, and nothing was moved again: granted $25',
          ) as string,
        });
        expect((await post()).status).toBe(200);
        expect((await credits('transfers')).stdout).toMatch(
          /^at .*\n.* grant +\$25 +\$25 +top-up-1 +Top-up\n.* adjust +-\$24\.\d+ +\$0 +empty +All spent\n$/,
        );

        const [limits] = await checkout.operating('Limits');
        const changed = await checkout.run(limits!);
        expect([changed.code, changed.stderr]).toEqual([0, '']);
        expect(changed.stdout).toMatch(/^requests_per_second +200 +changed$/m);
        expect(changed.stdout).toMatch(/^open_streams +off +changed$/m);
        expect(changed.stdout).toMatch(/^requests_per_second +10000$/m);
        expect(await checkout.run('npm run --silent limits -- set requests_per_second=none')).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(
            /^The limits must be a list in which requests_per_second is a whole number from 1 to 1,000,000,000, or off\.\n/,
          ) as string,
        });
        expect(await checkout.run('npm run --silent limits -- reset nothing')).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(
            /^There is no limit "nothing"\. The limits are requests_per_second, [^]*\nnpm run limits -- help /,
          ) as string,
        });

        const [providers] = await checkout.operating('Providers');
        const shown = await checkout.run(providers!);
        expect([shown.code, shown.stderr]).toEqual([0, '']);
        expect(shown.stdout).toMatch(/^sandbox +video, .* offered, \d+ models$/m);
        expect(shown.stdout).toMatch(/^kling +video +not offered +Set KLING_API_KEY, or KLING_ACCESS_KEY and/m);
        expect(shown.stdout).toMatch(/^sandbox +video +unknown +The provider needs no credentials/m);
        expect(await checkout.command('providers', 'verify kling')).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^Kling is not offered\. Set KLING_API_KEY/) as string,
        });
        expect(await checkout.command('providers', 'verfy')).toMatchObject({
          code: 2,
          stderr: 'There is no command "verfy".\nnpm run providers -- help explains the commands.\n',
        });

        expect(await credits('grant --amount 1')).toEqual({
          code: 2,
          stdout: '',
          stderr: 'grant needs --reference and --reason.\nnpm run credits -- help explains the commands.\n',
        });
        expect(await credits('grant --amount 0 --reference r --reason r')).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^amount must be a decimal string/) as string,
        });
        expect(await credits('list', { OPERATOR_TOKEN: 'x'.repeat(32) })).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^This is not the operator token/) as string,
        });
      } finally {
        await running.stop();
      }
      expect(await credits('list')).toEqual({
        code: 3,
        stdout: '',
        stderr: `Patchbay does not answer at http://127.0.0.1:${checkout.port}. Start it with "npm start", or give the right URL.\n`,
      });
    },
    LONG_MS,
  );
});

describe.skipIf(!postgres)('an external database without OPERATOR_TOKEN', () => {
  it(
    'disables the endpoints of the operator, and says which variable enables them',
    { timeout: LONG_MS, ...leftToGate(!isFullRun()) },
    async () => {
      const checkout = await makeCheckout();
      const secrets = {
        DATABASE_URL: await postgres!.createDatabase(),
        AUTH_SECRET: 'a'.repeat(32),
        MASTER_KEY: 'b'.repeat(32),
      };
      const assignments = Object.entries(secrets)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n');
      await checkout.run(`cat > .env <<EOF\n${assignments}\nEOF`);
      const running = await checkout.start('npm start');
      try {
        const response = await fetch(`http://127.0.0.1:${checkout.port}/internal/operator/organizations`, {
          headers: { authorization: 'Bearer anything' },
        });
        expect([response.status, await response.json()]).toEqual([
          403,
          {
            error: expect.objectContaining({
              code: 'operator_not_configured',
              message: expect.stringContaining('OPERATOR_TOKEN is not set') as string,
            }) as object,
          },
        ]);
        expect(await checkout.command('credits', 'list')).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^OPERATOR_TOKEN is not set\./) as string,
        });
      } finally {
        await running.stop();
        await checkout.remove();
      }
    },
  );
});
