import { probeBlocks } from '../../lib/io/probe-blocks';
import { probeWith } from '../../lib/io/video-probe';

/** Reads the facts of video files in this thread. */
export const probeHere = probeWith(probeBlocks);
