import type { Metadata } from 'next';
import Link from 'next/link';
import { StatusPage } from '../../components/ui/status-page';
import { buttonClass } from '../../components/ui/button-class';
import { paths } from '../../paths';

export const metadata: Metadata = { title: 'Video not found' };

export default function VideoNotFound() {
  return (
    <StatusPage
      framed
      title="Video not found"
      description="The id may be mistyped, the video may have been deleted, or it belongs to another organisation."
    >
      <Link href={paths.videos()} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        Go to the videos
      </Link>
    </StatusPage>
  );
}
