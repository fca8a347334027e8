export * from './accounts';
export * from './audio';
export * from './chores';
export * from './ledger';
export * from './messages';
export * from './sign-ins';
export * from './videos';
export * from './webhooks';
