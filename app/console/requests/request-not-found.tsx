import { NotFoundPage } from '../components/shell/not-found-page';
import { paths } from '../paths';

/** The page for an unknown id. `noun` is "Message" or "Session". */
export function RequestNotFound({ noun }: { readonly noun: string }) {
  return (
    <NotFoundPage
      title={`${noun} not found`}
      description={`The id may be mistyped, the ${noun.toLowerCase()} may be older than the log, or it belongs to another organisation.`}
      href={paths.requests()}
      linkText="Go to the requests"
    />
  );
}
