import type { Metadata } from 'next';
import { gateway } from '../../../lib/runtime';
import { ConnectServices } from './connect-services';
import { PasswordSection } from './password-section';
import { requirePerson } from '../components/auth/current-person';
import { offeredServices } from '../components/auth/offered-services';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { paths } from '../paths';

export const metadata: Metadata = { title: 'Your account' };

export default async function AccountPage() {
  const person = await requirePerson(paths.account());
  const { config, signInMethods } = gateway();
  const services = offeredServices(config);
  const connected = await readQuietly(() => signInMethods.servicesOf(person.userId));

  return (
    <Shell person={person}>
      <div className="mb-8">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Your account</h1>
        <p className="mt-0.5 text-sm break-words text-muted">
          {person.email}, {person.role} of {person.orgName}
        </p>
      </div>
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
