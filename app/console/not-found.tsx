import type { Metadata } from 'next';
import { currentMember } from './components/auth/current-person';
import { buttonClass } from './components/ui/button-class';
import { StatusPage } from './components/ui/status-page';
import { paths } from './paths';

export const metadata: Metadata = { title: 'Not found' };

export default async function ConsoleNotFound() {
  const framed = (await currentMember()) !== undefined;
  return (
    <StatusPage
      framed={framed}
      title="This page does not exist"
      description="The URL may be mistyped, its content may have been removed, or it belongs to another organisation or mode."
    >
      <a href={paths.overview()} className={buttonClass({ variant: 'primary' })}>
        Go to the overview
      </a>
    </StatusPage>
  );
}
