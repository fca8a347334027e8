import type { Metadata } from 'next';
import { RequestNotFound } from '../../request-not-found';

export const metadata: Metadata = { title: 'Message not found' };

export default function MessageNotFound() {
  return <RequestNotFound noun="Message" />;
}
