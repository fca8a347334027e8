// Speech in the browser, without dependencies: a microphone or a recording to text, and text to sound that plays without
// gaps. Copy this file and microphone-worklet.js into any app. Types are in patchbay-audio.d.ts.

const FRAME_MS = 50;
/** Frames that wait for the session, or for a slow line; the oldest of a microphone are dropped beyond that. */
const MAX_WAITING_FRAMES = 200;
const SLOW_LINE_BYTES = 64_000;
/** Frames of a recording wait in the recording while this many are unsent. */
const MAX_READY_FRAMES = 20;
const LOOK_INTERVAL_MS = 20;
/** The server begins a text within this time, or fails the connection. */
const FIRST_SOUND_TIMEOUT_MS = 10_000;
/** The gateway refuses a text as soon as it has read it. */
const REFUSAL_TIMEOUT_MS = 3_000;
/** Sound is scheduled this far ahead, so that a late chunk is not heard as a gap. */
const LEAD_SECONDS = 0.06;

/**
 * Transcribes a microphone, any stream of sound, or a recording (`samples`). Call it in a click, so that the browser lets it
 * ask for the microphone. Resolves when the session has started; rejects with an Error whose `code` is the socket's, or
 * `microphone`. A recording is sent at `pace` times its own speed and ends the session itself.
 */
export async function transcribe({ url, token, model, language, encoding = 'pcm_s16le', sampleRate = 16_000, stream, deviceId, samples, pace = 1, workletUrl = '/audio/microphone-worklet.js', onTranscript = () => {}, onLevel = () => {}, onFrame = () => {}, onMessage = () => {}, onEnd = () => {} }) {
  const frameSamples = Math.round((sampleRate * FRAME_MS) / 1000);
  const sound = samples ? pacedSound(samples, { sampleRate, frameSamples, pace }) : await captureSound({ stream, deviceId, sampleRate, frameSamples, workletUrl });
  let socket;
  try {
    socket = await openSocket(url, token);
  } catch (error) {
    await sound.stop();
    throw error;
  }
  const transmit = (data) => {
    socket.send(data);
    onMessage({ direction: 'sent', data: typeof data === 'string' ? data : data.byteLength });
  };

  const waiting = [];
  let started = false;
  const flush = () => {
    while (started && waiting.length > 0 && socket.readyState === WebSocket.OPEN && socket.bufferedAmount < SLOW_LINE_BYTES) {
      const frame = waiting.shift();
      const level = levelOf(frame);
      transmit(encodeFrame(frame, encoding));
      onFrame({ samples: frame, level });
    }
  };
  const take = (frame) => {
    onLevel(levelOf(frame));
    waiting.push(frame);
    if (!samples && waiting.length > MAX_WAITING_FRAMES) waiting.shift();
    flush();
  };

  let totals;
  let failure;
  let begin;
  const begun = new Promise((resolve, reject) => {
    begin = { resolve, reject };
  });
  const ended = new Promise((resolve, reject) => {
    socket.addEventListener('close', ({ code, reason }) => {
      void sound.stop();
      failure ??= totals || reason === 'idle_timeout' ? undefined : socketError('The connection was lost.', code);
      if (failure) begin.reject(failure);
      onEnd({ ...(failure ? { error: failure } : {}), reason, ...(totals ? { totals } : {}) });
      if (failure) reject(failure);
      else resolve(totals);
    });
  });
  // Without a caller that awaits the end, its error must not become an unhandled rejection.
  ended.catch(() => {});
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    onMessage({ direction: 'received', data });
    if (message.type === 'session_started') {
      started = true;
      begin.resolve(message.session_id);
      flush();
    } else if (message.type === 'transcript') {
      onTranscript({ text: message.text, isFinal: message.is_final, words: message.words ?? [] });
    } else if (message.type === 'done') {
      totals = { audioSeconds: message.audio_duration_seconds, sessionSeconds: message.session_duration_seconds };
    } else if (message.type === 'error') {
      failure = socketError(message.message, message.code);
    }
  });
  if (!samples) sound.start(take);
  transmit(JSON.stringify({ type: 'configure', model, encoding, sample_rate: sampleRate, ...(language ? { language } : {}) }));

  const sessionId = await begun;
  let stopping;
  const stop = () => {
    stopping ??= (async () => {
      const tail = await sound.rest();
      if (tail.length > 0) take(tail);
      while (waiting.length > 0 && socket.readyState === WebSocket.OPEN) {
        flush();
        if (waiting.length > 0) await pause(LOOK_INTERVAL_MS);
      }
      if (socket.readyState === WebSocket.OPEN) transmit('{"type":"stop"}');
      await sound.stop();
      return ended;
    })();
    return stopping;
  };
  if (samples)
    sound.start(
      take,
      () => void stop().catch(() => {}),
      () => waiting.length < MAX_READY_FRAMES || socket.readyState !== WebSocket.OPEN,
    );
  return {
    sessionId,
    /** Sends what was said last and waits for its text; resolves with the totals. */
    stop,
    /** Ends at once; what was said last is lost. */
    close() {
      failure = undefined;
      totals ??= { audioSeconds: 0, sessionSeconds: 0 };
      socket.close();
    },
  };
}

/** Frames of a microphone or of any stream, as arrays of 16-bit samples. */
async function captureSound({ stream, deviceId, sampleRate, frameSamples, workletUrl }) {
  const source = stream ?? (await openMicrophone(deviceId));
  const context = new AudioContext();
  const stop = async () => {
    if (!stream) for (const track of source.getTracks()) track.stop();
    if (context.state !== 'closed') await context.close();
  };
  try {
    await context.resume();
    await context.audioWorklet.addModule(workletUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  const worklet = new AudioWorkletNode(context, 'microphone-frames', { numberOfOutputs: 0, processorOptions: { sampleRate, frameSamples } });
  context.createMediaStreamSource(source).connect(worklet);
  let giveRest = () => {};
  return {
    start(give) {
      worklet.port.addEventListener('message', ({ data }) => (data.rest ? giveRest(new Int16Array(data.rest)) : give(new Int16Array(data.frame))));
      worklet.port.start();
    },
    /** The last, incomplete frame; nothing follows it. */
    rest() {
      return new Promise((resolve) => {
        giveRest = resolve;
        worklet.port.postMessage('stop');
      });
    },
    stop,
  };
}

/** Frames of a recording, at `pace` times its own speed, and no faster than `isReady` allows. */
function pacedSound(samples, { sampleRate, frameSamples, pace }) {
  let at = 0;
  let timer;
  return {
    start(give, atEnd, isReady) {
      let startedAt = performance.now();
      const dueMs = () => ((at / sampleRate) * 1000) / pace;
      const next = () => {
        while (at < samples.length && dueMs() <= performance.now() - startedAt) {
          if (!isReady()) {
            // What was late must not be sent in one burst afterwards.
            startedAt = performance.now() - dueMs();
            timer = setTimeout(next, LOOK_INTERVAL_MS);
            return;
          }
          give(Int16Array.from(samples.subarray(at, at + frameSamples), toInt16));
          at += frameSamples;
        }
        if (at >= samples.length) atEnd();
        else timer = setTimeout(next, startedAt + dueMs() - performance.now());
      };
      next();
    },
    async rest() {
      clearTimeout(timer);
      return new Int16Array(0);
    },
    async stop() {
      clearTimeout(timer);
    },
  };
}

/**
 * Opens a connection that speaks texts, one at a time; a new text silences the one before. Call it in a click, so that the
 * browser lets it play. `outputFormat` is that of the sound, such as `pcm_24000` or `pcm_mulaw_8000`.
 */
export async function openSpeaker({ url, token, sampleRate = 24_000, outputFormat = `pcm_${sampleRate}`, onChunk = () => {}, onMessage = () => {}, onEnd = () => {} }) {
  const { rate, decode, sampleBytes } = readFormat(outputFormat);
  const context = new AudioContext({ sampleRate: rate });
  await context.resume();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  analyser.connect(context.destination);
  let socket;
  try {
    socket = await openSocket(url, token);
  } catch (error) {
    await context.close();
    throw error;
  }
  const transmit = (text) => {
    socket.send(text);
    onMessage({ direction: 'sent', data: text });
  };

  const playing = new Set();
  const silenced = new Set();
  let current;
  /** When the superseded texts were sent that may still be refused. An error does not say of which text it is. */
  let unanswered = [];

  const unheard = () => ({ id: undefined, chunks: chunkReader(decode, sampleBytes), playUntil: 0, seconds: 0, isDone: false });

  function stopPlaying() {
    for (const source of playing) source.stop();
    playing.clear();
  }

  function silence() {
    if (current) {
      silenced.add(current.id);
      if (current.id === undefined) unanswered.push(current.sentAt);
      clearTimeout(current.refusal);
      current.resolve('cancelled');
    }
    stopPlaying();
    current = undefined;
  }

  function play(samples, text) {
    if (samples.length === 0) return;
    const buffer = context.createBuffer(1, samples.length, rate);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(analyser);
    text.playUntil = Math.max(text.playUntil, context.currentTime + LEAD_SECONDS);
    source.start(text.playUntil);
    text.playUntil += buffer.duration;
    text.seconds += buffer.duration;
    playing.add(source);
    source.addEventListener('ended', () => {
      playing.delete(source);
      if (text.isDone && playing.size === 0) finish(text);
    });
  }

  function finish(text) {
    if (current !== text) return;
    current = undefined;
    unanswered = [];
    text.resolve('played');
  }

  function refuse(error) {
    clearTimeout(current?.refusal);
    current?.reject(error);
    current = undefined;
  }

  let failure;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    onMessage({ direction: 'received', data });
    if (message.type === 'error') {
      failure = socketError(message.message, message.code);
      unanswered = unanswered.filter((sentAt) => performance.now() - sentAt < REFUSAL_TIMEOUT_MS);
      if (message.code !== 400 || unanswered.length === 0) return refuse(failure);
      // Of a superseded text, if the current one is spoken or refused after it.
      unanswered.shift();
      if (current) current.refusal = setTimeout(refuse, FIRST_SOUND_TIMEOUT_MS, failure);
      return;
    }
    if (!current || silenced.has(message.context_id)) return;
    clearTimeout(current.refusal);
    failure = undefined;
    if (current.id !== undefined && message.context_id !== current.id) {
      // The sound so far was of the text before, and was on its way when this one was sent.
      stopPlaying();
      Object.assign(current, unheard());
    }
    current.id = message.context_id;
    if (message.type === 'audio') {
      const samples = current.chunks(message.data);
      play(samples, current);
      onChunk({ base64: message.data, contextId: message.context_id, samples });
    } else if (message.type === 'done') {
      current.isDone = true;
      if (playing.size === 0) finish(current);
    }
  });
  socket.addEventListener('close', ({ code, reason }) => {
    const error = failure ?? (code === 1000 || code === 1001 ? undefined : socketError('The connection was lost.', code));
    refuse(error ?? socketError('The connection was closed.', code));
    onEnd({ ...(error ? { error } : {}), reason });
  });

  return {
    /** Resolves with `played` when the last sound was heard, or `cancelled`; rejects with the refusal. */
    speak(text) {
      silence();
      if (socket.readyState !== WebSocket.OPEN) return Promise.reject(failure ?? socketError('The connection is closed. Open a new one.', 1000));
      const spoken = new Promise((resolve, reject) => {
        current = { ...unheard(), sentAt: performance.now(), resolve, reject };
      });
      transmit(ttsMessage(text, outputFormat));
      return spoken;
    },
    cancel() {
      if (!current) return;
      silence();
      if (socket.readyState === WebSocket.OPEN) transmit('{"type":"cancel"}');
    },
    /** How much of the current text was heard so far. */
    heardSeconds() {
      return current ? Math.max(0, current.seconds - Math.max(0, current.playUntil - context.currentTime)) : 0;
    },
    /** How loud it is now, from 0 to 1. */
    level() {
      const samples = new Float32Array(analyser.fftSize);
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    },
    async close() {
      silence();
      socket.close();
      await context.close();
    },
  };
}

/** The sound of one text, without playing it: samples from -1 to 1 at `sampleRate`. Rejects with the refusal. */
export async function synthesize({ url, token, sampleRate = 24_000, ...text }) {
  const outputFormat = `pcm_${sampleRate}`;
  const { decode, sampleBytes } = readFormat(outputFormat);
  const read = chunkReader(decode, sampleBytes);
  const socket = await openSocket(url, token);
  const chunks = [];
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('message', ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === 'audio') chunks.push(read(message.data));
        else if (message.type === 'done') resolve();
        else if (message.type === 'error') reject(socketError(message.message, message.code));
      });
      socket.addEventListener('close', ({ code }) => reject(socketError('The connection was lost.', code)));
      socket.send(ttsMessage(text, outputFormat));
    });
  } finally {
    socket.close();
  }
  const samples = new Float32Array(chunks.reduce((count, chunk) => count + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    samples.set(chunk, at);
    at += chunk.length;
  }
  return samples;
}

function ttsMessage({ model, input, voice, speed, language }, outputFormat) {
  return JSON.stringify({ type: 'tts', model, input, voice, output_format: outputFormat, ...(speed ? { speed } : {}), ...(language ? { language } : {}) });
}

/** Whole samples of base64 chunks: a chunk may end in the middle of a sample. */
function chunkReader(decode, sampleBytes) {
  let carry = new Uint8Array(0);
  return (base64) => {
    const arrived = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bytes = new Uint8Array(carry.length + arrived.length);
    bytes.set(carry);
    bytes.set(arrived, carry.length);
    const whole = bytes.length - (bytes.length % sampleBytes);
    carry = bytes.slice(whole);
    return decode(bytes.slice(0, whole).buffer);
  };
}

/** The rate of an `output_format` and how its bytes become samples from -1 to 1. */
function readFormat(outputFormat) {
  const [, coding, rate] = /^pcm_(?:(f32le|mulaw|alaw)_)?(\d+)$/.exec(outputFormat) ?? [];
  if (rate === undefined) throw new Error(`"${outputFormat}" cannot be played. Use pcm_<rate>, pcm_f32le_<rate>, pcm_mulaw_8000 or pcm_alaw_8000.`);
  const fromLaw = (expand) => (buffer) => Float32Array.from(new Uint8Array(buffer), (code) => expand(code) / 32_768);
  const codings = {
    f32le: { sampleBytes: 4, decode: (buffer) => new Float32Array(buffer) },
    mulaw: { sampleBytes: 1, decode: fromLaw(expandMulaw) },
    alaw: { sampleBytes: 1, decode: fromLaw(expandAlaw) },
  };
  return { rate: Number(rate), ...(codings[coding] ?? { sampleBytes: 2, decode: (buffer) => Float32Array.from(new Int16Array(buffer), (sample) => sample / 32_768) }) };
}

/** 16-bit samples in the encoding of the session. */
function encodeFrame(frame, encoding) {
  if (encoding === 'pcm_f32le') return Float32Array.from(frame, (sample) => sample / 32_768).buffer;
  if (encoding === 'pcm_mulaw') return Uint8Array.from(frame, compressMulaw).buffer;
  if (encoding === 'pcm_alaw') return Uint8Array.from(frame, compressAlaw).buffer;
  return frame.buffer;
}

// The two laws of G.711, which telephone lines use: sign, exponent and mantissa of a 16-bit sample in one byte.

const MULAW_BIAS = 132;

function compressMulaw(sample) {
  const magnitude = Math.min(Math.abs(sample), 32_635) + MULAW_BIAS;
  const exponent = 24 - Math.clz32(magnitude);
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function expandMulaw(code) {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + MULAW_BIAS) << ((bits >> 4) & 7)) - MULAW_BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
}

function compressAlaw(sample) {
  const magnitude = (sample < 0 ? -sample - 1 : sample) >> 4;
  const exponent = magnitude < 16 ? 0 : 28 - Math.clz32(magnitude);
  const mantissa = (exponent < 2 ? magnitude : magnitude >> (exponent - 1)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}

function expandAlaw(code) {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 4) + (exponent === 0 ? 8 : 264);
  const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
  return bits & 0x80 ? magnitude : -magnitude;
}

async function openMicrophone(deviceId) {
  // Absent on a page that is neither https nor localhost.
  if (!navigator.mediaDevices) throw Object.assign(new Error('Browsers offer the microphone only over https and on localhost. Open this page there.'), { code: 'microphone' });
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { ...(deviceId ? { deviceId: { exact: deviceId } } : {}), channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
  } catch (error) {
    const denied = error instanceof DOMException && error.name === 'NotAllowedError';
    throw Object.assign(new Error(denied ? 'The microphone was not allowed. Allow it in the address bar and try again.' : 'No microphone was found. Connect one and try again.'), { code: 'microphone' });
  }
}

/** `token` is a key or a ticket, or a function that gets one: tickets open one socket each. */
async function openSocket(url, token) {
  const credential = typeof token === 'function' ? await token() : token;
  const socketUrl = new URL(url, window.location.href);
  socketUrl.protocol = socketUrl.protocol.replace('http', 'ws');
  if (credential) socketUrl.searchParams.set('token', credential);
  const socket = new WebSocket(socketUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', ({ code }) => reject(socketError('The server could not be reached. Check your connection.', code)));
  });
  return socket;
}

function socketError(message, code) {
  return Object.assign(new Error(message), { code });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function toInt16(sample) {
  const limited = Math.max(-1, Math.min(1, sample));
  return limited < 0 ? limited * 0x8000 : limited * 0x7fff;
}

/** The root mean square, from 0 to 1. */
function levelOf(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / 32_768;
}
