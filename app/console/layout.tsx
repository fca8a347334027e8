import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { gateway } from '../../lib/runtime';
import { currentMember } from './components/auth/current-person';
import { currentMode } from './components/shell/current-mode';
import { Frame } from './components/shell/frame';
import { readQuietly } from './components/shell/read-quietly';
import { Toaster } from './components/ui/toast';
import { NowProvider } from './components/ui/now';
import { parseTheme, THEME_COOKIE } from './components/ui/theme';

/** The frame for signed-in users. It does not authorise anything: each page requires the sign-in itself. */
export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const person = await currentMember();
  if (!person) {
    return (
      <>
        {children}
        <Toaster />
      </>
    );
  }
  const { accounts, clock } = gateway();
  const { orgId } = person;
  const [test, live, theme, rememberedMode] = await Promise.all([
    readQuietly(() => accounts.credits({ orgId, mode: 'test' })),
    readQuietly(() => accounts.credits({ orgId, mode: 'live' })),
    cookies().then((store) => parseTheme(store.get(THEME_COOKIE)?.value)),
    currentMode(),
  ]);
  return (
    <NowProvider startMs={clock.nowMs()}>
      <Frame
        email={person.email}
        name={person.name ?? person.email}
        role={person.role}
        isOperator={person.isOperator === true}
        orgId={person.orgId}
        orgName={person.orgName}
        orgSuspended={person.orgSuspended}
        orgDeletesAtMs={person.orgDeletesAtMs}
        organizations={person.memberships.map(({ orgId: id, orgName: name, role }) => ({ id, name, role }))}
        theme={theme}
        rememberedMode={rememberedMode}
        credits={{ test, live }}
      >
        {children}
      </Frame>
      <Toaster />
    </NowProvider>
  );
}
