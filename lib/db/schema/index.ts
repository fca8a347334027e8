export * from './accounts';
export * from './ledger';
export * from './messages';
export * from './videos';
export * from './webhooks';
