// Speech in the browser, without dependencies: a microphone to text, and text to sound that plays without gaps. Copy this
// file and microphone-worklet.js into any app. Types are in patchbay-audio.d.ts.

const SAMPLE_RATE = 16_000;
const FRAME_MS = 50;
/** Frames that wait for the session, or for a slow line; the oldest are dropped beyond that. */
const MOST_WAITING_FRAMES = 200;
const SLOW_LINE_BYTES = 64_000;
/** Sound is scheduled this far ahead, so that a late chunk is not heard as a gap. */
const LEAD_SECONDS = 0.06;

/**
 * Transcribes a microphone (or any stream of sound). Call it in a click, so that the browser lets it ask for the microphone.
 * Resolves when the session has started; rejects with an Error whose `code` is the socket's, or `microphone`.
 */
export async function transcribe({ url, token, model, language, stream, workletUrl = '/audio/microphone-worklet.js', onTranscript = () => {}, onLevel = () => {}, onEnd = () => {} }) {
  const source = stream ?? (await openMicrophone());
  const context = new AudioContext();
  const stopSound = async () => {
    if (!stream) for (const track of source.getTracks()) track.stop();
    if (context.state !== 'closed') await context.close();
  };
  let worklet;
  let socket;
  try {
    await context.resume();
    await context.audioWorklet.addModule(workletUrl);
    worklet = new AudioWorkletNode(context, 'microphone-frames', { numberOfOutputs: 0, processorOptions: { sampleRate: SAMPLE_RATE, frameSamples: (SAMPLE_RATE * FRAME_MS) / 1000 } });
    context.createMediaStreamSource(source).connect(worklet);
    socket = await openSocket(url, token);
  } catch (error) {
    await stopSound();
    throw error;
  }

  const waiting = [];
  let started = false;
  let rest = () => {};
  const flush = () => {
    while (started && waiting.length > 0 && socket.readyState === WebSocket.OPEN && socket.bufferedAmount < SLOW_LINE_BYTES) socket.send(waiting.shift());
  };
  worklet.port.addEventListener('message', ({ data }) => {
    if (data.rest) return rest(data.rest);
    onLevel(levelOf(data.frame));
    waiting.push(data.frame);
    if (waiting.length > MOST_WAITING_FRAMES) waiting.shift();
    flush();
  });
  worklet.port.start();

  let totals;
  let failure;
  let begin;
  const begun = new Promise((resolve, reject) => {
    begin = { resolve, reject };
  });
  const ended = new Promise((resolve, reject) => {
    socket.addEventListener('close', ({ code, reason }) => {
      void stopSound();
      failure ??= totals || reason === 'idle_timeout' ? undefined : socketError('The connection was lost.', code);
      if (failure) begin.reject(failure);
      onEnd({ ...(failure ? { error: failure } : {}), reason, ...(totals ? { totals } : {}) });
      if (failure) reject(failure);
      else resolve(totals);
    });
  });
  // Whoever does not ask for the end must not be told of it as an unhandled error.
  ended.catch(() => {});
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
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
  socket.send(JSON.stringify({ type: 'configure', model, encoding: 'pcm_s16le', sample_rate: SAMPLE_RATE, ...(language ? { language } : {}) }));

  const sessionId = await begun;
  let stopping;
  return {
    sessionId,
    /** Sends what was said last and waits for its text; resolves with the totals. */
    stop() {
      stopping ??= (async () => {
        const tail = await new Promise((resolve) => {
          rest = resolve;
          worklet.port.postMessage('stop');
        });
        if (tail.byteLength > 0) waiting.push(tail);
        while (waiting.length > 0 && socket.readyState === WebSocket.OPEN) {
          flush();
          if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
        }
        if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"stop"}');
        await stopSound();
        return ended;
      })();
      return stopping;
    },
    /** Ends at once; what was said last is lost. */
    close() {
      failure = undefined;
      totals ??= { audioSeconds: 0, sessionSeconds: 0 };
      socket.close();
    },
  };
}

/**
 * Opens a connection that speaks texts, one at a time; a new text silences the one before. Call it in a click, so that the
 * browser lets it play. `sampleRate` is that of the sound: 24000 unless another one is asked for.
 */
export async function openSpeaker({ url, token, sampleRate = 24_000, onChunk = () => {}, onEnd = () => {} }) {
  const context = new AudioContext({ sampleRate });
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

  const playing = new Set();
  const silenced = new Set();
  let current;

  function silence() {
    if (current) silenced.add(current.id);
    for (const source of playing) source.stop();
    playing.clear();
    current?.resolve('cancelled');
    current = undefined;
  }

  function play(base64, text) {
    const arrived = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bytes = new Uint8Array(text.carry.length + arrived.length);
    bytes.set(text.carry);
    bytes.set(arrived, text.carry.length);
    // A chunk may end in the middle of a sample.
    const whole = bytes.length & ~1;
    text.carry = bytes.slice(whole);
    if (whole === 0) return;
    const samples = Float32Array.from(new Int16Array(bytes.buffer, 0, whole / 2), (sample) => sample / 32_768);
    const buffer = context.createBuffer(1, samples.length, sampleRate);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(analyser);
    text.playUntil = Math.max(text.playUntil, context.currentTime + LEAD_SECONDS);
    source.start(text.playUntil);
    text.playUntil += buffer.duration;
    playing.add(source);
    source.addEventListener('ended', () => {
      playing.delete(source);
      if (text.isDone && playing.size === 0) finish(text);
    });
  }

  function finish(text) {
    if (current !== text) return;
    current = undefined;
    text.resolve('played');
  }

  let failure;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'error') {
      failure = socketError(message.message, message.code);
      current?.reject(failure);
      current = undefined;
      return;
    }
    if (!current || silenced.has(message.context_id)) return;
    current.id ??= message.context_id;
    if (message.context_id !== current.id) return;
    if (message.type === 'audio') {
      play(message.data, current);
      onChunk({ base64: message.data, contextId: message.context_id });
    } else if (message.type === 'done') {
      current.isDone = true;
      if (playing.size === 0) finish(current);
    }
  });
  socket.addEventListener('close', ({ code, reason }) => {
    const error = failure ?? (code === 1000 || code === 1001 ? undefined : socketError('The connection was lost.', code));
    current?.reject(error ?? socketError('The connection was closed.', code));
    current = undefined;
    onEnd({ ...(error ? { error } : {}), reason });
  });

  return {
    /** Resolves with `played` when the last sound was heard, or `cancelled`; rejects with the refusal. */
    speak({ model, input, voice, speed, language }) {
      silence();
      if (socket.readyState !== WebSocket.OPEN) return Promise.reject(failure ?? socketError('The connection is closed. Open a new one.', 1000));
      const spoken = new Promise((resolve, reject) => {
        current = { id: undefined, carry: new Uint8Array(0), playUntil: 0, isDone: false, resolve, reject };
      });
      socket.send(JSON.stringify({ type: 'tts', model, input, voice, output_format: `pcm_${sampleRate}`, ...(speed ? { speed } : {}), ...(language ? { language } : {}) }));
      return spoken;
    },
    cancel() {
      if (!current) return;
      silence();
      if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"cancel"}');
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

async function openMicrophone() {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
  } catch (error) {
    const denied = error instanceof DOMException && error.name === 'NotAllowedError';
    throw Object.assign(new Error(denied ? 'The microphone was not allowed. Allow it in the address bar and try again.' : 'No microphone was found. Connect one and try again.'), { code: 'microphone' });
  }
}

/** `token` is a key or a ticket, or a function that gets one: tickets open one socket each. */
async function openSocket(url, token) {
  const credential = typeof token === 'function' ? await token() : token;
  const address = new URL(url, window.location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  if (credential) address.searchParams.set('token', credential);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', ({ code }) => reject(socketError('The server could not be reached. Check your connection.', code)));
  });
  return socket;
}

function socketError(message, code) {
  return Object.assign(new Error(message), { code });
}

function levelOf(frame) {
  const samples = new Int16Array(frame);
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / 32_768;
}
