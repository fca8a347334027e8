import type { Metadata } from 'next';
import { NotFoundPage } from '../../components/shell/not-found-page';
import { paths } from '../../paths';

export const metadata: Metadata = { title: 'Video not found' };

export default function VideoNotFound() {
  return (
    <NotFoundPage
      title="Video not found"
      description="The id may be mistyped, the video may have been deleted, or it belongs to another organisation."
      href={paths.videos()}
      linkText="Go to the videos"
    />
  );
}
