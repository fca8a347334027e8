import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWav, type WavSound } from '../../../lib/io/wav';
import { createReformatter } from '../../../lib/providers/kit/speech/pcm';
import { makeCli, type Cli } from '../../support/cli';
import { startProduct, type Product } from '../../support/product';
import { isFullRun, leftToGate } from '../../support/proof-runs';
import { startServer } from '../../support/server';

// The commands for users of an installation, as processes against the built product.

let product: Product;
let cli: Cli;
/** With the base URL and the test key in the environment. */
let test: Readonly<Record<string, string>>;
let live: Readonly<Record<string, string>>;

beforeAll(async () => {
  product = await startProduct('viewer');
  cli = await makeCli();
  const { keys } = product.firstRun;
  test = { PATCHBAY_BASE_URL: product.baseUrl, PATCHBAY_API_KEY: keys.test };
  live = { PATCHBAY_BASE_URL: product.baseUrl, PATCHBAY_API_KEY: keys.live };
});
afterAll(async () => {
  await product?.stop();
  await cli?.remove();
});

/** A folder with only an `arecord` that runs this code: the sound device of a machine without one. */
async function recorder(code: string): Promise<string> {
  const folder = await mkdtemp(path.join(cli.directory, 'programs-'));
  await writeFile(path.join(folder, 'arecord'), `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
  return folder;
}

/** Its samples at the rate of a microphone. */
function resampled({ samples, sampleRateHz }: WavSound): Uint8Array {
  const stage = createReformatter(
    { encoding: 'pcm_s16le', sampleRateHz },
    { encoding: 'pcm_s16le', sampleRateHz: 16_000 },
  );
  return Buffer.concat([...stage.push(Uint8Array.from(samples)), ...stage.flush()]);
}

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('patchbay', () => {
  it('explains its commands and exit codes', async () => {
    const { code, stdout, stderr } = await cli.run(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const part of ['login', 'keys', 'models', 'credits', 'video', 'Exit codes: 0 done'])
      expect(stdout).toContain(part);
  });

  it('explains each command with an example', async () => {
    for (const args of [['login'], ['keys', 'create'], ['video', 'create'], ['models']]) {
      const { code, stdout } = await cli.run([...args, '--help']);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(new RegExp(`Examples?:\\n  .*patchbay ${args.join(' ')}`)),
      ]);
    }
  });

  it.each([
    [['vidoe'], 'Unknown command \'vidoe\'. (Did you mean video?) "patchbay --help" explains it.'],
    [['video', 'creat'], 'Unknown command \'creat\'. (Did you mean create?) "patchbay video --help" explains it.'],
    [['credits', '--jsn'], 'Unknown option \'--jsn\'. (Did you mean --json?) "patchbay credits --help" explains it.'],
    [['video', 'get'], 'Missing required argument \'id\'. "patchbay video get --help" explains it.'],
  ])('refuses %j with one sentence and 2', async (args, sentence) => {
    expect(await cli.run(args)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
  });

  it('says what to do without a key, as JSON too', async () => {
    const { code, stderr } = await cli.run(['credits']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^There is no API key\. Run "patchbay login"/)]);
    const asJson = await cli.run(['credits', '--json']);
    expect([asJson.code, asJson.stderr]).toEqual([2, '']);
    expect(json(asJson.stdout)).toEqual({ error: { message: stderr.trim() } });
  });

  it('ends with 1 for a refusal and with 3 when no installation answers', async () => {
    const refused = await cli.run(['credits'], { env: { ...test, PATCHBAY_API_KEY: 'pb_test_wrong' } });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    const silent = await cli.run(['credits'], { env: { ...test, PATCHBAY_BASE_URL: 'http://127.0.0.1:9' } });
    expect(silent).toEqual({
      code: 3,
      stdout: '',
      stderr: 'Patchbay does not answer at http://127.0.0.1:9. Start it with "npm start", or give the right URL.\n',
    });
  });
});

describe('login', () => {
  it('checks the key, and stores nothing if it is wrong', async () => {
    const wrong = await cli.run(['login', '--base-url', product.baseUrl, '--key', '-'], {
      stdin: 'pb_live_nonsense\n',
    });
    expect(wrong.code).toBe(1);
    expect((await cli.run(['whoami'])).code).toBe(2);
  });

  it('stores base URL and key for this user only, and logout removes them', async () => {
    const key = product.firstRun.keys.live;
    const login = await cli.run(['login', '--base-url', `${product.baseUrl}/v1/`, '--api-key', '-'], {
      stdin: `${key}\n`,
    });
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(login.stdout).not.toContain(key);
    const file = path.join(cli.directory, '.config/patchbay/login.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ base_url: product.baseUrl, api_key: key });

    expect(json((await cli.run(['whoami', '--json'])).stdout)).toMatchObject({
      base_url: product.baseUrl,
      mode: 'live',
      scopes: ['inference', 'manage'],
      organization: { name: 'My organisation' },
      source: 'login',
    });
    // The stored key is never sent to another URL.
    expect((await cli.run(['whoami', '--base-url', 'http://127.0.0.1:9'])).code).toBe(2);

    expect((await cli.run(['logout'])).stdout).toBe('Logged out.\n');
    expect((await cli.run(['whoami'])).code).toBe(2);
  });

  it('does not ask without a terminal', async () => {
    expect(await cli.run(['login'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Without a terminal, give the base URL with --base-url and the key with --api-key -.\n',
    });
  });
});

describe('credits and models', () => {
  it('shows the balance of the account of the key', async () => {
    const { code, stdout } = await cli.run(['credits', '--json'], { env: live });
    expect([code, json(stdout)]).toEqual([0, expect.objectContaining({ object: 'credits', mode: 'live' })]);
    expect((await cli.run(['credits'], { env: test })).stdout).toMatch(/^mode +test\navailable +\$\d/);
  });

  it('lists and filters the models', async () => {
    const { stdout } = await cli.run(['models', 'sandbox', '--type', 'video', '--available', '--json'], { env: test });
    const { data } = JSON.parse(stdout) as { data: { id: string; type: string }[] };
    expect(data.map(({ id }) => id)).toContain('sandbox-t2v');
    expect(data.filter(({ type }) => type !== 'video')).toEqual([]);
    const text = await cli.run(['models', '--provider', 'sandbox'], { env: test });
    expect(text.stdout).toMatch(/^model +kind +price +live +providers\n/);
    expect(text.stdout).toMatch(/^sandbox-t2v +t2v +\$0\.01 per second +yes +sandbox$/m);
    expect((await cli.run(['models', 'no-such-model'], { env: test })).stdout).toBe('No model matches.\n');
  });
});

describe('keys', () => {
  it('creates a key that works, lists it, and revokes it', async () => {
    const created = await cli.run(
      ['keys', 'create', '--name', 'CLI', '--mode', 'test', '--limit', '3.5', '--model', 'sandbox-t2v', '--json'],
      { env: live },
    );
    const { key, id, limit } = json(created.stdout) as { key: string; id: string; limit: unknown };
    expect([created.code, limit]).toEqual([0, expect.objectContaining({ amount: '3.5', period: 'total' })]);
    const used = { ...test, PATCHBAY_API_KEY: key };
    expect((await cli.run(['credits'], { env: used })).code).toBe(0);
    expect((await cli.run(['keys', 'list'], { env: live })).stdout).toMatch(
      new RegExp(`^${id} +CLI +pb_test_\\S+ +test +active +inference +\\$0 of \\$3\\.5 total`, 'm'),
    );
    expect(await cli.run(['keys', 'revoke', id], { env: live })).toEqual({
      code: 0,
      stdout: `Revoked ${id}.\n`,
      stderr: '',
    });
    await expect.poll(async () => (await cli.run(['credits'], { env: used })).code).toBe(1);
    expect((await cli.run(['keys', 'list'], { env: live })).stdout).not.toContain(id);
    expect((await cli.run(['keys', 'list', '--all'], { env: live })).stdout).toContain(id);
  });

  it('needs a key with the scope manage', async () => {
    const { code, stderr } = await cli.run(['keys', 'list'], { env: test });
    expect([code, stderr]).toEqual([1, expect.stringContaining('manage')]);
  });
});

describe('speak and transcribe', () => {
  it('speak a text into a WAV file, and print its text again', { timeout: 120_000 }, async () => {
    const spoken = await cli.run(['speak', 'I would like to walk in the park with my dog.', '--out', 'walk.wav'], {
      env: test,
    });
    expect([spoken.code, spoken.stdout]).toEqual([0, expect.stringMatching(/^Wrote walk\.wav, \d\.\d seconds\.\n$/)]);
    const heard = await cli.run(['transcribe', 'walk.wav', '--language', 'en', '--json'], { env: test });
    expect(heard.code).toBe(0);
    expect(String(json(heard.stdout).text)).toMatch(/park|dog/i);
  });

  it(
    'print what the microphone hears, sentence by sentence, until Ctrl+C',
    { timeout: 120_000, ...leftToGate(!isFullRun()) },
    async () => {
      await cli.run(['speak', 'I would like to walk in the park with my dog.', '--out', 'heard.wav'], { env: test });
      const said = readWav(await readFile(path.join(cli.directory, 'heard.wav')))!;
      await writeFile(path.join(cli.directory, 'heard.raw'), resampled(said));
      // What is said, then silence, at the pace of a microphone.
      const programs = await recorder(`
      const { readFileSync } = require('node:fs');
      if (!process.argv.join(' ').endsWith('-t raw -f S16_LE -c 1 -r 16000')) process.exit(1);
      const said = readFileSync('heard.raw');
      let at = 0;
      setInterval(() => {
        process.stdout.write(at < said.length ? said.subarray(at, at + 3200) : Buffer.alloc(3200));
        at += 3200;
      }, 100);`);
      const env = { ...test, PATH: programs };
      const running = cli.start(['transcribe', '--language', 'en'], { env });
      await expect.poll(() => running.stdout(), { timeout: 60_000 }).toMatch(/(?:park|dog).*\n$/i);
      expect(running.stderr()).toBe('Listening with arecord. Ctrl+C ends it.\n');
      running.child.kill('SIGINT');
      expect(await running.ended).toMatchObject({ code: 0 });

      const heard = await cli.run(['transcribe', '--seconds', '5', '--language', 'en', '--json'], { env });
      expect(heard.code).toBe(0);
      const { text, seconds } = json(heard.stdout);
      expect(text).toMatch(/park|dog/i);
      expect(Number(seconds)).toBeGreaterThanOrEqual(5);
      expect(Number(seconds)).toBeLessThan(5.5);
    },
  );

  it('say why there is no microphone: no program, or its own complaint', async () => {
    const nothing = await cli.run(['transcribe'], { env: { ...test, PATH: cli.directory } });
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringMatching(/^No program that can record .* arecord, rec/),
    ]);
    const programs = await recorder(`console.error('no soundcards found'); process.exit(1);`);
    expect(await cli.run(['transcribe'], { env: { ...test, PATH: programs } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('arecord could not record the microphone: no soundcards found\n') as string,
    });
    expect(await cli.run(['transcribe', '--seconds', 'x'], { env: test })).toMatchObject({
      code: 2,
      stderr: '--seconds must be a number above 0.\n',
    });
  });

  it('say what is wrong: no text, no WAV file, an unknown voice', async () => {
    expect(await cli.run(['speak'], { env: test })).toMatchObject({ code: 2, stderr: 'There is no text to speak.\n' });
    expect(await cli.run(['transcribe', 'nothing.wav'], { env: test })).toMatchObject({
      code: 2,
      stderr: 'nothing.wav cannot be read.\n',
    });
    const noSound = await cli.run(['transcribe', '-'], { env: test, stdin: 'no sound' });
    expect(noSound).toMatchObject({ code: 2, stderr: '- must be a WAV file with 16-bit mono samples.\n' });
    const voice = await cli.run(['speak', 'Hello', '--voice', 'no-one'], { env: test });
    expect([voice.code, voice.stderr]).toEqual([1, expect.stringContaining('voice')]);
  });
});

describe('listen', () => {
  it('forwards a video that ends, with a signature that its secret verifies', { timeout: 120_000 }, async () => {
    const secret = `whsec_${Buffer.from('a secret for this test').toString('base64')}`;
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    const receiver = createServer((request, response) => {
      void streamText(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/finished`;
    const listening = cli.start(['listen', '--forward-to', target, '--secret', secret, '--count', '1', '--json'], {
      env: test,
    });
    await expect.poll(listening.stderr, { timeout: 60_000 }).toContain('Forwarding to');
    const submit = ['video', 'create', '--model', 'sandbox-t2v', '--prompt', 'A boat', '--seconds', '1', '--json'];
    const { id } = json((await cli.run(submit, { env: test })).stdout);
    const { code, stdout } = await listening.ended;
    receiver.close();
    expect([code, json(stdout)]).toEqual([0, { forwarded: 1, failed: [] }]);
    const [{ headers, body }] = received as [(typeof received)[number]];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      id,
      status: 'completed',
    });
    expect(headers['x-patchbay-event']).toBe('video.completed');
  });

  it('needs a receiver', async () => {
    const { code, stderr } = await cli.run(['listen'], { env: test });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--forward-to must be an http URL/)]);
  });
});

describe('completion', () => {
  it('completes commands and options in bash', async () => {
    const { stdout } = await cli.run(['completion', 'bash']);
    const complete = (line: string) => {
      const words = line.split(' ');
      const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _patchbay; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
    };
    expect(complete('patchbay vi')).toEqual(['video']);
    expect(complete('patchbay video c')).toEqual(['create', 'cancel']);
    expect(complete('patchbay video create --wa')).toEqual(['--wait']);
  });

  it('knows zsh and fish, and no other shell', async () => {
    expect((await cli.run(['completion', 'zsh'])).stdout).toMatch(/^autoload -U \+X bashcompinit/);
    expect((await cli.run(['completion', 'fish'])).stdout).toContain(
      "complete -c patchbay -f -n '__fish_use_subcommand' -a video",
    );
    expect(await cli.run(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});

describe('the commands of the operator', () => {
  it('doctor explains a running installation, and one whose settings are wrong', async () => {
    const port = new URL(product.baseUrl).port;
    const well = await cli.run(['doctor', '--json'], { env: { PORT: port } });
    const { data } = json(well.stdout) as { data: { subject: string; state: string; sentence: string }[] };
    expect(well.code).toBe(0);
    expect(data.find(({ subject }) => subject === 'server')).toEqual({
      subject: 'server',
      state: 'ok',
      sentence: `http://127.0.0.1:${port} is ready.`,
    });
    const partial = await cli.run(['doctor'], {
      env: { PORT: port, KLING_ACCESS_KEY: 'x', REDIS_URL: 'redis://127.0.0.1:9' },
    });
    expect(partial.code).toBe(1);
    expect(partial.stdout).toMatch(/^wrong +provider kling +Set .*KLING_SECRET_KEY is missing\.$/m);
    expect(partial.stdout).toMatch(/^wrong +Redis +Redis does not answer\./m);
    const unusable = await cli.run(['doctor'], {
      env: { PORT: port, MEDIA_STORE: '/etc/passwd', TLS_CERT_FILE: '/nope', TLS_KEY_FILE: '/nope' },
    });
    expect(unusable.code).toBe(1);
    for (const name of ['MEDIA_STORE', 'TLS_CERT_FILE', 'TLS_KEY_FILE'])
      expect(unusable.stdout).toMatch(new RegExp(`^ +- ${name} `, 'm'));
    const broken = await cli.run(['doctor'], { env: { PORT: 'abc' } });
    expect([broken.code, broken.stdout]).toEqual([1, expect.stringContaining('PORT must be a whole number')]);
  });

  it('grant and providers are those of npm run credits and npm run providers', async () => {
    expect((await cli.run(['grant', '--help'])).stdout).toMatch(
      /^Grants credits of a running Patchbay\.\n\n {2}patchbay grant /,
    );
    expect((await cli.run(['providers', '--help'])).stdout).toMatch(/^Shows the providers/);
    expect((await cli.run(['grant'])).code).toBe(2);
  });

  it('providers names the prices to confirm, in the form of CONFIRMED_PRICES', async () => {
    const OPERATOR_TOKEN = 'o'.repeat(32);
    const priced = await startServer({ env: { OPERATOR_TOKEN, FAL_KEY: 'a key' } });
    const { code, stdout } = await cli.run(['providers', '--url', priced.baseUrl], { env: { OPERATOR_TOKEN } });
    await priced.close();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fal +video +offered, \d+ models +Confirm the prices of \d+ models\.$/m);
    expect(stdout).toMatch(/your contract; these names are for CONFIRMED_PRICES:\n\n( {2}fal\/[\w.-]+\n)+$/m);
  });
});

describe('video', () => {
  it('creates a video, waits, and downloads it, with plain lines instead of a bar', async () => {
    const { code, stdout, stderr } = await cli.run(
      [
        'video',
        'create',
        '--model',
        'sandbox-t2v',
        '--prompt',
        '-',
        '--seconds',
        '1',
        '--size',
        '640x360',
        '--out',
        'boat.mp4',
      ],
      { env: test, stdin: 'A paper boat' },
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Wrote boat\.mp4, \d+ bytes\.\n$/)]);
    expect(stderr).toMatch(/^video_\w+ is queued, for about \$0\.01\.\n(queued\n)?(in_progress\n)?downloading\n$/);
    const file = await readFile(path.join(cli.directory, 'boat.mp4'));
    expect(file.subarray(4, 8).toString()).toBe('ftyp');

    const id = /video_\w+/.exec(stderr)?.[0] ?? '';
    expect(json((await cli.run(['video', 'get', id, '--json'], { env: test })).stdout)).toMatchObject({
      id,
      status: 'completed',
      size: '640x360',
    });
    expect((await cli.run(['video', 'list', '--limit', '1'], { env: test })).stdout).toContain(id);
    const again = await cli.run(['video', 'download', id, '--json'], { env: test });
    expect(json(again.stdout)).toMatchObject({ id, bytes: file.length });
    expect(await readFile(path.join(cli.directory, `${id}.mp4`))).toEqual(file);
    const late = await cli.run(['video', 'cancel', id], { env: test });
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('already finished')]);
  });

  it('cancels a video; to wait for it ends with 1', async () => {
    const submit = ['video', 'create', '--model', 'sandbox-t2v', '--prompt', 'Long', '--seconds', '15', '--json'];
    const { id } = json((await cli.run(submit, { env: test })).stdout) as { id: string };
    expect(await cli.run(['video', 'cancel', id], { env: test })).toMatchObject({
      code: 0,
      stdout: `Cancelled ${id}.\n`,
    });
    const waited = await cli.run(['video', 'get', id, '--wait', '--json'], { env: test });
    expect([waited.code, json(waited.stdout)]).toEqual([
      1,
      expect.objectContaining({ status: 'failed', error: expect.objectContaining({ code: 'cancelled' }) as unknown }),
    ]);
  });

  it('passes on other fields and says what the model ignored', async () => {
    const { code, stderr } = await cli.run(
      [
        'video',
        'create',
        '--model',
        'sandbox-t2v',
        '--prompt',
        'A boat',
        '--seconds',
        '1',
        '--param',
        'fps=12',
        'bgm=true',
      ],
      { env: test },
    );
    expect([code, stderr]).toEqual([0, 'This model ignored: bgm.\n']);
  });

  it('shows the refusal of the installation', async () => {
    const submit = ['video', 'create', '--model', 'sandbox-t2v', '--prompt', 'A boat', '--seconds', '99'];
    const { code, stdout, stderr } = await cli.run(submit, { env: test });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^seconds must be .*\n$/)]);
    const refused = json((await cli.run([...submit, '--json'], { env: test })).stdout);
    expect(refused).toMatchObject({ error: { param: 'seconds' } });
  });

  it('stops waiting at Ctrl+C with 130, and the video goes on', async () => {
    const started = cli.start(
      ['video', 'create', '--model', 'sandbox-t2v', '--prompt', 'A boat', '--seconds', '10', '--wait'],
      {
        env: test,
      },
    );
    await expect.poll(started.stderr, { timeout: 60_000 }).toContain('is queued');
    started.child.kill('SIGINT');
    expect(await started.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('Interrupted.') as string,
    });
    const id = /video_\w+/.exec(started.stderr())?.[0] ?? '';
    const { status } = json((await cli.run(['video', 'get', id, '--json'], { env: test })).stdout);
    expect(['queued', 'in_progress', 'completed']).toContain(status);
  });
});
