import type { Metadata } from 'next';
import { hasGateway } from '../lib/runtime';
import { currentMember } from './console/components/auth/current-person';
import { buttonClass } from './console/components/ui/button-class';
import { StatusPage } from './console/components/ui/status-page';
import ConsoleLayout from './console/layout';
import { paths } from './console/paths';

export const metadata: Metadata = { title: 'Not found' };

/** The page for unknown URLs. Signed-in users see it inside the frame of the console, with the navigation. */
export default async function NotFound() {
  // If the sign-in cannot be read, the page is shown without the frame.
  const framed = hasGateway() && (await currentMember().catch(() => undefined)) !== undefined;
  const page = (
    <StatusPage
      framed={framed}
      title="This page does not exist"
      description="The URL may be mistyped, or its content may have been removed."
    >
      {/* A full navigation: this page may have been opened outside the console. */}
      <a href={paths.overview()} className={buttonClass({ variant: 'primary' })}>
        Go to the overview
      </a>
    </StatusPage>
  );
  return framed ? <ConsoleLayout>{page}</ConsoleLayout> : page;
}
