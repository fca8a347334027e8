import type { ReactNode } from 'react';
import type { SignedIn } from '../../../../lib/accounts/accounts';
import { classNames } from '../ui/class-names';
import { OrganizationGate } from './organization';

/**
 * The content of a signed-in page. The layout renders the frame around it. `person` is required so that no page can
 * forget to require a sign-in. `wide` uses the full width.
 */
export function Shell({
  person,
  wide = false,
  children,
}: {
  readonly person: SignedIn;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <OrganizationGate of={{ id: person.orgId, name: person.orgName }}>
      <div
        className={classNames('mx-auto w-full px-4 pt-7 pb-20 sm:px-6 lg:px-8', wide ? 'max-w-[110rem]' : 'max-w-6xl')}
      >
        {children}
      </div>
    </OrganizationGate>
  );
}
