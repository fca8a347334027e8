import type { Metadata } from 'next';
import { hasGateway } from '../lib/runtime';
import { visitor } from './console/components/auth/current-person';
import { buttonClass } from './console/components/ui/button';
import { StatusPage } from './console/components/ui/status-page';
import ConsoleLayout from './console/layout';
import { paths } from './console/paths';

export const metadata: Metadata = { title: 'Not found' };

/** For every address that is none; in the frame of the console for who is signed in, so that the other pages stay one click away. */
export default async function NotFound() {
  // A page that could not even find out who asks is still a page.
  const framed = hasGateway() && (await visitor().catch(() => undefined)) !== undefined;
  const page = (
    <StatusPage
      framed={framed}
      title="Nothing is plugged in here"
      description="The address may be mistyped, or what was here has been removed."
    >
      {/* Not a soft navigation: this page may have come from outside the console. */}
      <a href={paths.overview()} className={buttonClass({ variant: 'primary' })}>
        Go to the overview
      </a>
    </StatusPage>
  );
  return framed ? <ConsoleLayout>{page}</ConsoleLayout> : page;
}
