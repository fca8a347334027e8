import { Pool } from 'undici';
import { sendRequest } from './load';
import { sleep } from './measure';
import type { BenchServer } from './processes';
import { videoRequest } from './video-request';

const CONNECTIONS = 16;
const RETRY_MS = 200;

/** Submits so many videos that run until their deadline. */
export async function submitVideos(gateway: BenchServer, count: number): Promise<void> {
  const pool = new Pool(gateway.baseUrl, { connections: CONNECTIONS });
  let submitted = 0;
  const submit = async () => {
    while (submitted < count) {
      submitted += 1;
      const request = videoRequest(`A slow video, number ${submitted}`);
      // A gateway that is overloaded for a moment refuses new work.
      while (
        !(await sendRequest(pool, gateway, request).then(
          () => true,
          () => false,
        ))
      )
        await sleep(RETRY_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, submit));
  await pool.close();
}
