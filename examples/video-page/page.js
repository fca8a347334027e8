const [form, status, video] = document.querySelectorAll('form, [role="status"], video');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void make(new FormData(form).get('prompt'));
});

async function make(prompt) {
  say('Submitting …');
  const response = await fetch('/videos', { method: 'POST', body: JSON.stringify({ prompt }) });
  const { id, message } = await response.json();
  if (!response.ok) return say(message);
  say('In progress …');
  const events = new EventSource(`/videos/${id}/events`);
  events.addEventListener('message', ({ data }) => {
    events.close();
    const { status: state, message: reason } = JSON.parse(data);
    if (state !== 'completed') return say(reason);
    say('Completed');
    video.src = `/videos/${id}/file`;
    video.hidden = false;
  });
}

function say(text) {
  status.textContent = text;
}
