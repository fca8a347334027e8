import type { Metadata } from 'next';
import { NotFoundPage } from '../../components/shell/not-found-page';
import { paths } from '../../paths';

export const metadata: Metadata = { title: 'Model not found' };

export default function ModelNotFound() {
  return (
    <NotFoundPage
      title="There is no such model"
      description="The id may be mistyped, or this installation does not have the model. The catalog lists all models."
      href={paths.models()}
      linkText="Go to the models"
    />
  );
}
