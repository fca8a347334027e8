import { createTransport } from 'nodemailer';

/** Sends e-mails; each uses its own connection. */
export interface Mailer {
  /** Rejects when the mail server refuses or cannot be reached. */
  send(mail: { readonly to: string; readonly subject: string; readonly text: string }): Promise<void>;
}

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;

export function createMailer({ smtpUrl, from }: { readonly smtpUrl: string; readonly from: string }): Mailer {
  return {
    async send(mail) {
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
      });
      try {
        await transport.sendMail({ from, ...mail });
      } finally {
        transport.close();
      }
    },
  };
}
