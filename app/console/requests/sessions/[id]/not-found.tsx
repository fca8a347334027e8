import type { Metadata } from 'next';
import { RequestNotFound } from '../../request-not-found';

export const metadata: Metadata = { title: 'Session not found' };

export default function SessionNotFound() {
  return <RequestNotFound noun="Session" />;
}
