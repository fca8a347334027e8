'use client';

import { createContext, useContext, type ReactNode } from 'react';
import type { Role } from '../../../../lib/domain/caller';
import { ORGANIZATION_COOKIE } from '../../../../lib/domain/organization-choice';
import { isClosed, mayChange, type Permission, type Standing } from '../../../../lib/domain/roles';
import { Button } from '../ui/button';
import { StatusPage } from '../ui/status-page';
import { paths } from '../../paths';
import { destinations, isOpen } from './destinations';

// The organisation that this tab shows. The frame stays while pages change, and its root element names the organisation
// for every request (console-api.ts), so an action always concerns the organisation whose name the user sees, whatever
// was chosen in another tab.

export interface ShownOrganization {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

interface Organizations {
  readonly current: ShownOrganization & Standing;
  /** All organisations of the user, the current one included. */
  readonly all: readonly ShownOrganization[];
}

const OrganizationsContext = createContext<Organizations | undefined>(undefined);

export function OrganizationProvider({
  value,
  children,
}: {
  readonly value: Organizations;
  readonly children: ReactNode;
}) {
  return <OrganizationsContext value={value}>{children}</OrganizationsContext>;
}

/** Returns the organisations of the user. Throws outside of the frame. */
export function useOrganizations(): Organizations {
  const organizations = useContext(OrganizationsContext);
  if (!organizations) throw new Error('useOrganizations was called outside of the frame.');
  return organizations;
}

/** Returns a function that says whether the user may make a kind of change in the organisation shown. */
export function useMayChange(): (permission: Permission) => boolean {
  const { current } = useOrganizations();
  return (permission) => mayChange(current, permission);
}

/** Returns a sentence that explains why the user may not do something, such as "generate videos". */
export function useRefusal(what: string): string {
  const { current } = useOrganizations();
  return isClosed(current)
    ? `You cannot ${what}: this organisation is suspended or about to be deleted.`
    : `Your role cannot ${what}. Ask an owner or admin of the organisation.`;
}

const YEAR_SECONDS = 31_536_000;

/**
 * Switches to another organisation. The page of an object is replaced by its list or the overview, because the object
 * does not exist in the other organisation. Reloads the whole page, so that no data of the previous organisation stays
 * in it.
 */
export function openOrganization(id: string): void {
  document.cookie = `${ORGANIZATION_COOKIE}=${id}; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  const page = destinations.find((destination) => isOpen(destination, window.location.pathname));
  window.location.assign(page?.path ?? paths.overview());
}

/**
 * Shows a page only if it belongs to the organisation of this tab. If the user opened another organisation in another
 * tab, the server renders the next page for that one; the user then chooses which of the two to continue with.
 */
export function OrganizationGate({
  of,
  children,
}: {
  readonly of: { readonly id: string; readonly name: string };
  readonly children: ReactNode;
}) {
  const organizations = useContext(OrganizationsContext);
  if (!organizations || organizations.current.id === of.id) return children;
  const { id, name } = organizations.current;
  return (
    <StatusPage
      framed
      title="Another organisation is open"
      description={`You opened ${of.name} in another tab, while this tab shows ${name}.`}
    >
      <Button variant="primary" onClick={() => openOrganization(of.id)}>
        Continue in {of.name}
      </Button>
      <Button onClick={() => openOrganization(id)}>Go back to {name}</Button>
    </StatusPage>
  );
}
