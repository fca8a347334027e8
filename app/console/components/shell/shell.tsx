import type { ReactNode } from 'react';
import type { SignedIn } from '../../../../lib/accounts/accounts';
import { classNames } from '../ui/class-names';

/**
 * The content of a page behind the sign-in. The frame around it comes from the layout and stays while pages change; `person`
 * is asked for so that no page is written which forgot to require one. `wide` takes the whole width.
 */
export function Shell({
  wide = false,
  children,
}: {
  readonly person: SignedIn;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={classNames('mx-auto w-full px-4 pt-7 pb-20 sm:px-6 lg:px-8', wide ? 'max-w-[110rem]' : 'max-w-6xl')}
    >
      {children}
    </div>
  );
}
