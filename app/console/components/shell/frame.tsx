'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { SWRConfig } from 'swr';
import type { CreditsJson } from '../../../../lib/contract/credits';
import type { Mode } from '../../../../lib/domain/video';
import { may, mayChange, type Standing } from '../../../../lib/domain/roles';
import { onConfirmAsked } from '../auth/confirm-identity';
import { keepSignedIn } from '../auth/keep-signed-in';
import { Button } from '../ui/button';
import { Kbd } from '../ui/kbd';
import { Wordmark } from '../ui/logo';
import { SkeletonPage } from '../ui/skeleton';
import type { Theme } from '../ui/theme';
import { ThemeToggle } from '../ui/theme-toggle';
import { paths } from '../../paths';
import { AccountMenu } from './account-menu';
import { shapeOf } from './page-shape';
import { PageTransitionProvider, NavLink, usePageTransition } from './page-transition';
import { ClosedBanner } from './closed-banner';
import { useCommandKey } from './command-key';
import { ModeProvider, useMode } from './mode';
import { ModeBalance, ModeSwitch } from './mode-switch';
import { Navigation } from './navigation';
import { OrganizationProvider, type ShownOrganization } from './organization';
import { OrganizationSwitch } from './organization-switch';
import { useShortcuts } from './shortcuts';
import { onDemand } from '../ui/on-demand';

// The frame of all signed-in pages. It is part of the layout, so it stays mounted while pages change.

const CommandPalette = onDemand(() => import('./command-palette').then((module) => module.CommandPalette));
const ConfirmIdentityDialog = onDemand(() =>
  import('../auth/confirm-identity-dialog').then((module) => module.ConfirmIdentityDialog),
);
const ShortcutSheet = onDemand(() => import('./shortcut-sheet').then((module) => module.ShortcutSheet));
const NavigationDrawer = onDemand(() => import('./navigation-drawer').then((module) => module.NavigationDrawer));

export interface FrameProps extends Standing {
  readonly email: string;
  readonly name: string;
  /** The user is an operator of the installation. */
  readonly isOperator: boolean;
  readonly orgId: string;
  readonly orgName: string;
  readonly organizations: readonly ShownOrganization[];
  readonly theme: Theme;
  readonly rememberedMode: Mode;
  readonly credits: Readonly<Record<Mode, CreditsJson>>;
  readonly children: ReactNode;
}

type Layer = 'palette' | 'shortcuts' | 'drawer';

const SWR_OPTIONS = {
  // Without this an offline page would keep showing stale data without an error.
  refreshWhenOffline: true,
  // One cache per organisation, because their data has the same URLs.
  provider: () => new Map<string, never>(),
};

export function Frame(props: FrameProps) {
  const { orgId, orgName, role, orgSuspended, orgDeletesAtMs, organizations } = props;
  const current = useMemo(
    () => ({ id: orgId, name: orgName, role, orgSuspended, orgDeletesAtMs }),
    [orgId, orgName, role, orgSuspended, orgDeletesAtMs],
  );
  // If the user opened another organisation in another tab, a refresh brings that organisation here. The key then
  // discards all state of the previous one.
  return (
    <SWRConfig key={orgId} value={SWR_OPTIONS}>
      <OrganizationProvider value={{ current, all: organizations }}>
        <ModeProvider remembered={props.rememberedMode}>
          <PageTransitionProvider>
            <FrameLayout {...props} />
          </PageTransitionProvider>
        </ModeProvider>
      </OrganizationProvider>
    </SWRConfig>
  );
}

function FrameLayout(props: FrameProps) {
  const { children } = props;
  const [layer, setLayer] = useState<Layer>();
  const pathname = usePathname();
  const mode = useMode();
  const announcement = useShortcuts({
    isOperator: props.isOperator,
    openPalette: () => setLayer('palette'),
    openSheet: () => setLayer('shortcuts'),
  });
  // Renews the sign-in cookie, so that a console in use does not time out.
  useEffect(() => {
    if (pathname) keepSignedIn().catch(() => undefined);
  }, [pathname]);
  const [waiting, setWaiting] = useState<((confirmed: boolean) => void)[]>([]);
  useEffect(() => onConfirmAsked((answer) => setWaiting((others) => [...others, answer])), []);
  const answerAll = (confirmed: boolean) => {
    for (const answer of waiting) answer(confirmed);
    setWaiting([]);
  };
  const close = () => setLayer(undefined);

  return (
    <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]" data-organization={props.orgId}>
      <a
        href="#content"
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-lg focus-visible:bg-ink focus-visible:px-4 focus-visible:py-2 focus-visible:text-sm focus-visible:text-inverse"
      >
        Skip to content
      </a>
      {mode === 'test' && (
        <div aria-hidden="true" data-mode="test" className="fixed inset-x-0 top-0 z-40 h-0.5 bg-test" />
      )}

      <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-canvas/92 px-2 backdrop-blur-md lg:hidden">
        <Button
          variant="quiet"
          size="icon"
          aria-label="Open navigation"
          aria-haspopup="dialog"
          onClick={() => setLayer('drawer')}
        >
          <MenuIcon size={18} aria-hidden="true" />
        </Button>
        <OrganizationSwitch compact />
        <ModeSwitch compact />
        <Button
          variant="quiet"
          size="icon"
          aria-label="Search and commands"
          aria-haspopup="dialog"
          onClick={() => setLayer('palette')}
        >
          <Search size={18} aria-hidden="true" />
        </Button>
      </header>

      <div className="max-lg:hidden">
        <aside aria-label="Navigation" className="sticky top-0 flex h-dvh flex-col border-r border-line bg-sunken">
          <Sidebar {...props} onSearch={() => setLayer('palette')} />
        </aside>
      </div>

      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <ClosedBanner
          suspended={props.orgSuspended}
          deletesAtMs={props.orgDeletesAtMs}
          mayRestore={may(props.role, 'deletion')}
        />
        <Content>{children}</Content>
      </main>

      <output className="sr-only">{announcement}</output>
      {layer === 'palette' && (
        <CommandPalette
          onClose={close}
          onSheet={() => setLayer('shortcuts')}
          mayEdit={mayChange(props, 'edit')}
          isOperator={props.isOperator}
        />
      )}
      {waiting.length > 0 && (
        <ConfirmIdentityDialog
          email={props.email}
          onConfirmed={() => answerAll(true)}
          onClose={() => answerAll(false)}
        />
      )}
      {layer === 'shortcuts' && <ShortcutSheet isOperator={props.isOperator} onClose={close} />}
      {layer === 'drawer' && (
        <NavigationDrawer onClose={close}>
          <Sidebar {...props} onSearch={() => setLayer('palette')} onGo={close} />
        </NavigationDrawer>
      )}
    </div>
  );
}

/** The page, or a skeleton of the next page while that is loading. */
function Content({ children }: { readonly children: ReactNode }) {
  const { latePage } = usePageTransition();
  return (
    <>
      {latePage && (
        <div className="mx-auto w-full max-w-6xl px-4 pt-7 sm:px-6 lg:px-8">
          <SkeletonPage title={latePage.title} shape={shapeOf(latePage.href)} />
        </div>
      )}
      <div hidden={latePage !== undefined}>{children}</div>
    </>
  );
}

function Sidebar({
  email,
  name,
  role,
  isOperator,
  orgName,
  theme,
  credits,
  onSearch,
  onGo,
}: FrameProps & { onSearch(): void; onGo?(): void }) {
  const command = useCommandKey();
  return (
    <>
      <div className="flex h-14 shrink-0 items-center px-5 max-lg:pt-1">
        <NavLink
          href={paths.overview()}
          title="Overview"
          aria-label="Patchbay: overview"
          onClick={() => onGo?.()}
          className="rounded-lg"
        >
          <Wordmark />
        </NavLink>
      </div>
      <div className="px-3 pb-3">
        <OrganizationSwitch {...(onGo ? { onGo } : {})} />
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-3 pb-3">
        <button
          type="button"
          onClick={onSearch}
          aria-haspopup="dialog"
          className="flex h-9 shrink-0 items-center gap-2.5 rounded-lg border border-line bg-surface pr-1.5 pl-2 text-sm text-muted transition-colors hover:border-line-strong hover:text-ink max-lg:h-11"
        >
          <Search size={15} aria-hidden="true" /> Search
          <span className="ml-auto max-lg:hidden">
            <Kbd keys={[command, 'K']} />
          </span>
        </button>
        <Navigation isOperator={isOperator} {...(onGo ? { onGo } : {})} />
        <span className="flex-1" />
        <section aria-label="Mode and balance" className="flex flex-col gap-2">
          <ModeSwitch />
          <ModeBalance credits={credits} />
        </section>
      </div>
      <div className="flex h-15 shrink-0 items-center gap-1.5 border-t border-line pr-2.5 pl-3">
        <AccountMenu email={email} name={name} role={role} orgName={orgName} />
        <div className="min-w-0 flex-1 leading-tight">
          <div className="truncate text-sm font-medium">{name}</div>
          <div className="truncate text-xs text-muted">{role}</div>
        </div>
        <ThemeToggle initial={theme} />
      </div>
    </>
  );
}
