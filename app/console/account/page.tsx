import type { Metadata } from 'next';
import { gateway } from '../../../lib/runtime';
import { ConnectServices } from './connect-services';
import { PasswordSection } from './password-section';
import { requirePerson } from '../components/auth/current-person';
import { offeredServices } from '../components/auth/offered-services';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { paths } from '../paths';
import { PageHeading } from '../components/ui/page-heading';

export const metadata: Metadata = { title: 'Your account' };

export default async function AccountPage() {
  const person = await requirePerson(paths.account());
  const { config, signInMethods } = gateway();
  const services = offeredServices(config);
  const connected = await readQuietly(() => signInMethods.servicesOf(person.userId));

  return (
    <Shell person={person}>
      <PageHeading
        title="Your account"
        description={
          <>
            {person.email}, {person.role} of {person.orgName}
          </>
        }
      />
      <div className="flex max-w-xl flex-col gap-10">
        <PasswordSection email={person.email} />
        {services.length > 0 && (
          <ConnectServices
            services={services.map((service) => ({ service, connected: connected.includes(service) }))}
            signedInAtMs={person.signedInAtMs}
          />
        )}
      </div>
    </Shell>
  );
}
