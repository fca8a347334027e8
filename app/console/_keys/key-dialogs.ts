import dynamic from 'next/dynamic';

// Loaded when they are opened.

export const CreateKeyDialog = dynamic(() => import('./create-key-dialog').then((module) => module.CreateKeyDialog));
export const RotateKeyDialog = dynamic(() => import('./rotate-key-dialog').then((module) => module.RotateKeyDialog));
export const RevokeKeyDialog = dynamic(() => import('./revoke-key-dialog').then((module) => module.RevokeKeyDialog));
