import type { Metadata } from 'next';
import Link from 'next/link';
import { buttonClass } from '../console/components/ui/button-class';
import { StatusPage } from '../console/components/ui/status-page';
import { docsPaths } from './paths';

export const metadata: Metadata = { title: 'Not found · Docs' };

export default function DocsNotFound() {
  return (
    <StatusPage
      framed
      title="There is no such page of the documentation"
      description="The address may be mistyped, or the page has another name now. The list of pages and the search find it."
    >
      <Link href={docsPaths.index} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        Go to the documentation
      </Link>
    </StatusPage>
  );
}
