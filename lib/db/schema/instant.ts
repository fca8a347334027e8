import { timestamp } from 'drizzle-orm/pg-core';

/** A column with a time, read as a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
