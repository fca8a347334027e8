import { openSpeaker, transcribe } from '/audio/patchbay-audio.js';

const [button, status, list] = document.querySelectorAll('button, [role="status"], ol');
const settings = await (await fetch('/settings')).json();
/** What was said and heard so far, as the model gets it. */
const messages = [];
/** Cuts off the answer that is being written or spoken. */
let answering;
/** When the answer before is in `messages`. */
let turn = Promise.resolve();
let speaker;
let session;

button.addEventListener('click', () => void (session ? stop() : start()));

async function start() {
  button.disabled = true;
  try {
    // In the click, so that the browser lets it play.
    speaker = await openSpeaker({
      url: `${settings.gateway}/v1/audio/speech/ws`,
      token: () => ticket('/v1/audio/speech/ws'),
      onEnd: ({ error }) => error && say(error.message),
    });
    session = await transcribe({
      url: `${settings.gateway}/v1/audio/transcriptions/ws`,
      token: () => ticket('/v1/audio/transcriptions/ws'),
      model: settings.sttModel,
      workletUrl: '/audio/microphone-worklet.js',
      onTranscript: hear,
      onEnd: ({ error }) => say(error ? error.message : 'The conversation has ended.'),
    });
    say('Listening');
    button.textContent = 'Stop';
  } catch (error) {
    say(error.message);
  }
  button.disabled = false;
}

async function stop() {
  button.disabled = true;
  const ending = session;
  // What is still transcribed gets no answer.
  session = undefined;
  interrupt();
  await Promise.allSettled([ending.stop(), speaker.close()]);
  button.textContent = 'Start';
  button.disabled = false;
}

/** The first interim word of the user silences the assistant; the final text is the user's turn. */
function hear({ text, isFinal }) {
  if (!session || text.trim() === '') return;
  interrupt();
  if (isFinal) turn = turn.then(() => answer(text));
  else say(`${text} …`);
}

function interrupt() {
  answering?.abort();
  answering = undefined;
  speaker.cancel();
}

async function answer(question) {
  if (!session) return;
  const aborter = new AbortController();
  answering = aborter;
  show('You', question);
  messages.push({ role: 'user', content: question });
  const item = show('Assistant', '');
  say('Answering');
  let heard = '';
  try {
    for await (const sentence of sentences(messages, aborter.signal)) {
      item.textContent += sentence;
      const end = await speaker.speak({ model: settings.ttsModel, voice: settings.voice, input: sentence });
      if (end === 'cancelled') break;
      heard += sentence;
    }
  } catch (error) {
    if (!aborter.signal.aborted) say(error.message);
  }
  const wasCutOff = aborter.signal.aborted;
  item.dataset.state = wasCutOff ? 'cut off' : 'spoken';
  // The model knows only what the user has heard, and that it was interrupted.
  messages.push({ role: 'assistant', content: wasCutOff ? `${heard}…` : heard || '…' });
  if (!wasCutOff) {
    answering = undefined;
    say('Listening');
  }
}

/** The sentences of an answer, as soon as each is complete. */
async function* sentences(conversation, signal) {
  const response = await fetch('/answer', { method: 'POST', body: JSON.stringify(conversation), signal });
  if (!response.ok) throw new Error('There is no answer. The log of the server says why.');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? '';
    for (let end = /[.!?:]\s/.exec(rest); end; end = /[.!?:]\s/.exec(rest)) {
      yield rest.slice(0, end.index + 2);
      rest = rest.slice(end.index + 2);
    }
    if (!done) continue;
    if (rest.trim() !== '') yield rest;
    return;
  }
}

async function ticket(path) {
  const response = await fetch('/ticket', { method: 'POST', body: JSON.stringify({ path }) });
  if (!response.ok) throw new Error('There is no ticket. The log of the server says why.');
  return (await response.json()).ticket;
}

function show(who, text) {
  const item = document.createElement('li');
  item.dataset.who = who;
  item.textContent = text;
  list.append(item);
  return item;
}

function say(text) {
  status.textContent = text;
}
