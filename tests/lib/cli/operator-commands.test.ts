import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCli, type Cli } from '../../support/cli';

// How the operator's commands are explained when they are called as `patchbay`, against an installation that has several
// organisations and refuses every request without one.

let cli: Cli;
const server = createServer((_request, response) => {
  const error = {
    message: 'organization is required, because there are several organisations.',
    type: 'invalid_request_error',
    param: 'organization',
    code: 'missing_required_parameter',
  };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cli = await makeCli({ OPERATOR_TOKEN: 'o'.repeat(32), PUBLIC_BASE_URL: url });
});
afterAll(async () => {
  server.close();
  await cli?.remove();
});

describe('the help', { timeout: 60_000 }, () => {
  it.each(['grant', 'limits', 'providers'])('of patchbay %s has its own name', async (command) => {
    const { code, stdout } = await cli.run([command, '--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`\n  patchbay ${command}`)]);
    expect(stdout).not.toContain('npm run limits');
    expect(stdout).not.toContain('npm run providers');
  });

  it('of limits says what each limit counts', async () => {
    expect((await cli.run(['limits', '--help'])).stdout).toMatch(
      /^ {2}spend_per_minute +dollars of spending per minute$/m,
    );
  });
});

describe('a wrong command ends with 2', { timeout: 60_000 }, () => {
  it.each([
    [['grant', '--amount', '1'], /^grant needs --reference and --reason\.\npatchbay grant --help explains it\.\n$/],
    [
      ['grant', '--amount', '1', '--reference', 'r', '--reason', 'r'],
      /^Name the organisation with --organization org_….*\npatchbay grant --help explains it\.\n$/,
    ],
    [['limits', 'show'], /^Name the organisation with --organization org_….*\npatchbay limits --help explains it\.\n$/],
    [
      ['limits', 'reset', 'foo'],
      /^There is no limit "foo"\. The limits are requests_per_second, .*\npatchbay limits --help explains it\.\n$/,
    ],
    [['completion', 'tcsh'], /^The shell must be bash, zsh or fish; got "tcsh"\.\n$/],
    [['login', '--api-key', 'x', '--base-url', 'http://127.0.0.1:9'], /^This is not an API key/],
  ])('%j', async (args, sentence) => {
    expect(await cli.run(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) as string });
  });
});
