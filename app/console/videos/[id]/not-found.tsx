import type { Metadata } from 'next';
import Link from 'next/link';
import { StatusPage } from '../../components/ui/status-page';
import { buttonClass } from '../../components/ui/button';
import { paths } from '../../paths';

export const metadata: Metadata = { title: 'Job not found' };

export default function JobNotFound() {
  return (
    <StatusPage
      framed
      title="There is no such job"
      says="The id may be mistyped, the job may have been deleted, or it belongs to another organisation."
    >
      <Link href={paths.jobs()} prefetch={false} className={buttonClass({ look: 'primary' })}>
        Go to the jobs
      </Link>
    </StatusPage>
  );
}
