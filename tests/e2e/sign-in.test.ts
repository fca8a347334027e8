import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { cookieHeader, startConsole, type Console } from '../support/console';
import { startMailSink, type MailSink } from '../support/mail-sink';
import { tabTo } from '../support/page-checks';
import { startSignInServices, type FakeAccount, type SignInServices } from '../support/sign-in-services';

// The ways to sign in other than the password, against services and a mail server of our own.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

/** A second user besides the owner; see Product. */
const EMAIL = 'developer@patchbay.local';
const proven = (email: string, id = '7'): FakeAccount => ({
  id,
  name: 'Dev',
  emails: [{ email, verified: true, primary: true }],
});

let running: Console;
let services: SignInServices;
let sink: MailSink;

async function openSignIn(path = '/console/sign-in') {
  const seen = await running.visit();
  await seen.page.goto(running.product.baseUrl + path);
  await seen.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  // These services are on another port of this machine.
  seen.complaints.splice(0);
  return seen;
}

async function openLink() {
  const seen = await openSignIn();
  await seen.page.getByLabel('E-mail').fill(EMAIL);
  await seen.page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await seen.page.getByText('we have sent a link to it').waitFor();
  const mail = await sink.next();
  expect(mail.to).toBe(EMAIL);
  return { ...seen, link: /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '' };
}

describe.skipIf(skipReason)('signing in', () => {
  beforeAll(async () => {
    [services, sink] = await Promise.all([startSignInServices(proven(EMAIL)), startMailSink()]);
    const oauth = (name: string) => ({
      [`OAUTH_${name}_ID`]: 'client',
      [`OAUTH_${name}_SECRET`]: 'secret',
      [`OAUTH_${name}_BASE_URL`]: services.baseUrl,
    });
    running = await startConsole('developer', {
      ...oauth('GITHUB'),
      ...oauth('GOOGLE'),
      SMTP_URL: sink.url,
      MAIL_FROM: 'Patchbay <patchbay@example.com>',
    });
  });
  afterEach(async () => {
    await running?.closeWindows();
  });
  afterAll(async () => {
    await running?.close();
    await Promise.all([services?.close(), sink?.close()]);
  });

  test.each(['GitHub', 'Google'])(
    'with %s does not open an account by its address, and says how to connect it',
    async (name) => {
      services.account = proven(EMAIL);
      const { page, context } = await openSignIn();
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await page.getByText('then connect the service under “Your account”').waitFor();
      expect(await context.cookies()).not.toContainEqual(expect.objectContaining({ name: 'patchbay-sign-in' }));
    },
  );

  test('a link by e-mail signs in once, is not in any request, and later says how to get a new one', async () => {
    const { page, link } = await openLink();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url() + (request.postData() ?? '')));
    await page.goto(link);
    await page.getByRole('heading', { name: 'Sign in by link' }).waitFor();
    const token = new URL(link).hash.slice(1);
    expect(asked.join('\n')).not.toContain(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

    const { page: again } = await running.visit();
    await again.goto(link);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByText('This link has been used').waitFor();
    await again.getByRole('link', { name: 'Request a new link' }).click();
    await again.getByRole('button', { name: 'Send me a sign-in link' }).waitFor();
  });

  test('an unknown address gets the same answer, and no e-mail', async () => {
    const before = sink.mails.length;
    const { page } = await openSignIn();
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
    await page.getByText('we have sent a link to it').waitFor();
    expect(sink.mails.length).toBe(before);
  });

  test.each(['GitHub', 'Google'])(
    'with %s opens the account that was connected while signed in, returns to the requested page, and is remembered',
    async (name) => {
      services.account = proven(EMAIL);
      const { page: signedIn } = await running.signIn({ as: running.product.person, path: '/console/account' });
      await signedIn.getByRole('button', { name: `Connect ${name}` }).click();
      await signedIn.getByRole('listitem').filter({ hasText: name }).getByText('Connected').waitFor();
      const { page } = await openSignIn(`/console/sign-in?next=${encodeURIComponent('/console/speech')}`);
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await page.waitForURL('**/console/speech');
      await page.getByRole('heading', { level: 1, name: 'Speech' }).waitFor();
      await page.getByRole('button', { name: /^Account of developer@/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
      await page
        .getByRole('button', { name: `Continue with ${name}` })
        .getByText('Last used')
        .waitFor();
    },
  );

  test.each<[string, FakeAccount, string]>([
    [
      'has no verified address',
      { ...proven(EMAIL, '8'), emails: [{ email: EMAIL, verified: false, primary: true }] },
      'has not confirmed any e-mail address',
    ],
    ['is connected to no user here', proven('stranger@example.com', '9'), 'There is no account with the confirmed'],
  ])('an account elsewhere that %s opens nothing and says why', async (_name, account, says) => {
    services.account = account;
    for (const service of ['GitHub', 'Google']) {
      const { page } = await openSignIn();
      await page.getByRole('button', { name: `Continue with ${service}` }).click();
      await page.getByText(says).waitFor();
    }
  });

  test('a refusal by the other service leads back to the form with a sentence', async () => {
    services.refuseNext = true;
    const { page } = await openSignIn();
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.getByText('The other service did not sign you in').waitFor();
  });

  test('the state of one browser does not sign in another', async () => {
    services.account = proven(EMAIL);
    const { page } = await openSignIn();
    const back = page.waitForRequest((request) => request.url().includes('/api/auth/callback/github'));
    await page.route('**/api/auth/callback/github**', (route) => route.abort());
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    const stolen = (await back).url();
    const { page: other, context } = await running.visit();
    await other.goto(stolen);
    await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await context.cookies()).not.toContainEqual(expect.objectContaining({ name: 'patchbay-sign-in' }));
  });

  test('each sign-in gets a new cookie, and the audit log names the method', async () => {
    const first = await running.signIn();
    const cookies = [await cookieHeader(first.context), await cookieHeader((await running.signIn()).context)];
    expect(new Set(cookies.map((header) => /patchbay-sign-in=([^;]+)/.exec(header)?.[1])).size).toBe(2);
    const log = (await (
      await fetch(`${running.product.baseUrl}/console/api/audit-entries`, { headers: { cookie: cookies[0] ?? '' } })
    ).json()) as { data: { action: string }[] };
    expect(new Set(log.data.map(({ action }) => action))).toEqual(
      new Set(['sign_in.password', 'sign_in.link', 'sign_in.github', 'sign_in.google']),
    );
  });

  test('an old sign-in must enter the password before a secret is shown, and a wrong one shows nothing', async () => {
    const { page } = await running.open('/console');
    let old = true;
    await page.route('**/console/api/webhook-secret', async (route) => {
      if (!old) return route.continue();
      await route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'reauthentication_required', message: 'Sign in again.' } }),
      });
    });
    await page.getByRole('button', { name: 'Reveal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.getByLabel(/^Password of/).fill('not the password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    expect(await page.getByText('whsec_').count()).toBe(0);
    await dialog.getByLabel(/^Password of/).fill(running.product.firstRun.owner.password);
    old = false;
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('whsec_').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  test('a developer sees that only owners and admins grant the scope manage, and direct requests are refused', async () => {
    const { page, context } = await running.signIn({
      as: running.product.person,
      path: '/console/keys?mode=live&new=1',
    });
    await page.getByRole('button', { name: 'More options' }).click();
    const manage = page.getByRole('checkbox', {
      name: /Manage this organisation.*Only owners and admins can grant it/,
    });
    expect(await manage.isDisabled()).toBe(true);
    const headers = {
      cookie: await cookieHeader(context),
      'content-type': 'application/json',
      origin: running.product.baseUrl,
    };
    const made = await fetch(`${running.product.baseUrl}/console/api/keys`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'x', mode: 'live', scopes: ['manage'] }),
    });
    expect(made.status).toBe(403);
  });

  test('by keyboard alone from the form to the first request', async () => {
    const { page } = await openSignIn();
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(running.product.firstRun.owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(running.product.firstRun.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await tabTo(page, 'Create a test key');
    await page.keyboard.press('Enter');
    await page.getByTestId('revealed-key').waitFor();
    await tabTo(page, 'Send it from here');
    await page.keyboard.press('Enter');
    await page.getByText('It has arrived as').waitFor();
  });
});
