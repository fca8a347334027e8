import type { Metadata } from 'next';
import { NotFoundPage } from '../console/components/shell/not-found-page';
import { docsPaths } from './paths';

export const metadata: Metadata = { title: 'Not found · Docs' };

export default function DocsNotFound() {
  return (
    <NotFoundPage
      title="This page of the documentation does not exist"
      description="The URL may be mistyped, or the page may have been renamed. Look for it in the list of pages, or search."
      href={docsPaths.index}
      linkText="Go to the documentation"
    />
  );
}
