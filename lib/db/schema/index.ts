export * from './accounts';
export * from './ledger';
export * from './videos';
export * from './webhooks';
