import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { isGatewayError } from '../../../../lib/domain/errors';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { JobView } from '../job-view';
import type { ShownJob } from '../shown-job';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths } from '../../paths';

interface JobPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: JobPageProps): Promise<Metadata> {
  return { title: `Job ${(await params).id.slice(0, 14)}` };
}

export default async function JobPage({ params }: JobPageProps) {
  const { id } = await params;
  const person = await requirePerson(paths.job(id));
  const { videos, baseUrl, clock } = gateway();
  // Somebody else's job is no job, here as everywhere.
  const job = await readQuietly(async () => {
    try {
      // Safe: a job is presented with these fields; see ShownJob.
      return (await videos.details(await videos.accountOf(person.orgId, id), id)) as unknown as ShownJob;
    } catch (error) {
      if (isGatewayError(error) && error.code === 'video_not_found') return undefined;
      throw error;
    }
  });
  if (!job) notFound();

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <JobView key={job.id} job={job} baseUrl={baseUrl} mayEdit={person.role !== 'viewer'} />
      </NowProvider>
    </Shell>
  );
}
