// Runs in the browser's audio thread: sound at whatever rate the machine records, out as frames of 16-bit samples at the
// wanted rate. What lies above half of that rate is filtered off first, or it would fold down into the speech.

const TAPS = 47;

class MicrophoneFrames extends AudioWorkletProcessor {
  constructor({ processorOptions: { sampleRate: wanted, frameSamples } }) {
    super();
    this.step = sampleRate / wanted;
    this.filter = this.step > 1 ? lowPass(0.45 / this.step) : undefined;
    this.history = new Float32Array(TAPS - 1);
    this.position = 0;
    this.previous = 0;
    this.frame = new Int16Array(frameSamples);
    this.filled = 0;
    this.isOpen = true;
    this.port.addEventListener('message', () => {
      this.isOpen = false;
      this.port.postMessage({ rest: this.frame.slice(0, this.filled).buffer });
    });
    this.port.start();
  }

  process([[channel]]) {
    if (!channel || !this.isOpen) return this.isOpen;
    const sound = this.filter ? this.filtered(channel) : channel;
    for (; this.position < sound.length; this.position += this.step) {
      const index = Math.floor(this.position);
      const before = index > 0 ? sound[index - 1] : this.previous;
      this.add(before + (sound[index] - before) * (this.position - index));
    }
    this.position -= sound.length;
    this.previous = sound[sound.length - 1];
    return true;
  }

  filtered(channel) {
    const joined = new Float32Array(this.history.length + channel.length);
    joined.set(this.history);
    joined.set(channel, this.history.length);
    this.history = joined.slice(channel.length);
    const out = new Float32Array(channel.length);
    for (let index = 0; index < out.length; index++) {
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap++) sum += joined[index + tap] * this.filter[tap];
      out[index] = sum;
    }
    return out;
  }

  add(sample) {
    const limited = Math.max(-1, Math.min(1, sample));
    this.frame[this.filled++] = limited < 0 ? limited * 0x8000 : limited * 0x7fff;
    if (this.filled < this.frame.length) return;
    const { buffer } = this.frame;
    this.frame = new Int16Array(this.frame.length);
    this.filled = 0;
    this.port.postMessage({ frame: buffer }, [buffer]);
  }
}

/** A windowed sinc; `cutoff` in cycles per sample. */
function lowPass(cutoff) {
  const middle = (TAPS - 1) / 2;
  const taps = Float32Array.from({ length: TAPS }, (_, index) => {
    const x = index - middle;
    const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x);
    return sinc * (0.54 - 0.46 * Math.cos((2 * Math.PI * index) / (TAPS - 1)));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

registerProcessor('microphone-frames', MicrophoneFrames);
