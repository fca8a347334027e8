import { onDemand } from '../components/ui/on-demand';

// Loaded on demand. `loadKeyDialogs` preloads them when the pointer or focus reaches a button that opens one.

const create = () => import('./create-key-dialog').then((module) => module.CreateKeyDialog);
const edit = () => import('./edit-key-dialog').then((module) => module.EditKeyDialog);
const rotate = () => import('./rotate-key-dialog').then((module) => module.RotateKeyDialog);
const revoke = () => import('./revoke-key-dialog').then((module) => module.RevokeKeyDialog);

export const CreateKeyDialog = onDemand(create);
export const EditKeyDialog = onDemand(edit);
export const RotateKeyDialog = onDemand(rotate);
export const RevokeKeyDialog = onDemand(revoke);

export async function loadKeyDialogs(): Promise<void> {
  // Failures are ignored here: the dialog reports them when it is opened.
  await Promise.allSettled([create(), edit(), rotate(), revoke()]);
}
