// Sends what people do, and asks for what is new.

import { attached, nameFiles } from './files.js';
import { begin, onTab } from './focus.js';
import { showFound } from './journal.js';
import { away, follow } from './link.js';
import { chosenOfSlack } from './menu.js';
import { closeMenu, confirmed, copied, openMenu, toast } from './popups.js';
import { refresh, scrollDown, showLatest } from './refresh.js';

const query = () => new URLSearchParams(location.search);
const look = () => ({
  as: query().get('as') ?? 'U0ANN00001',
  channel: query().get('channel') ?? 'C0OPS00001',
  thread: query().get('thread') ?? undefined,
});

follow(refresh);
showFound();
// On a narrow page the journal would cover the thread, so it waits to be opened.
if (innerWidth <= 1080 && !document.cookie.includes('journal=')) handOver('fold', 'closed');
window.addEventListener('popstate', () => refresh());
document.addEventListener('click', onClick);
document.addEventListener('submit', onSubmit);
document.addEventListener('change', onChoose);
document.addEventListener('keydown', onTab);
document.addEventListener('keydown', onKey);
document.addEventListener('input', onInput);
scrollDown(true);
begin();
if (query().get('home') === '1') act({ type: 'home' });

async function act(what) {
  return handOver('act', JSON.stringify({ as: look().as, ...what }));
}

async function handOver(address, body) {
  const answer = await sent(address, body);
  if (!answer.ok) toast(answer.problem);
  await refresh();
  return answer;
}

/** What the server answered, or why it did not. */
async function sent(address, body) {
  if (away()) return { ok: false, problem: 'The demo has stopped, so this was not sent.' };
  try {
    return await (await fetch(`/page/${address}`, { method: 'POST', body })).json();
    // The server went away before it answered, and may or may not have taken it.
  } catch {
    return { ok: false, problem: 'The demo stopped before it answered. When it is back, look whether this was taken.' };
  }
}

async function go(href) {
  const { thread } = look();
  history.pushState(null, '', href);
  await refresh();
  const { thread: opened } = look();
  // The keyboard goes on in the thread that was opened, except where a person writes, or at the root of one that was closed.
  if (opened && opened !== thread && !document.activeElement?.matches('textarea')) inThread()?.focus();
  else if (!opened && document.activeElement === document.body) document.getElementById(thread)?.focus();
  if (query().get('home') === '1') act({ type: 'home' });
}

const inThread = () => document.querySelector('.thread [data-scroll]');

/** Where a link leads on this page. Slack opens the address of a message in place, for the person who looks; so does the page. */
function hrefHere(anchor) {
  const href = anchor?.getAttribute('href') ?? '';
  if (href.startsWith('/?')) return href;
  const [, channel, seconds, micros, root] = MESSAGE.exec(href) ?? [];
  if (channel) return inChannel({ channel, thread: root ?? `${seconds}.${micros}` });
  return href.startsWith(`${location.origin}/?channel=`)
    ? inChannel(Object.fromEntries(new URLSearchParams(anchor.search)))
    : undefined;
}

const MESSAGE = /^https:\/\/slack\.com\/archives\/(\w+)\/p(\d+)(\d{6})(?:\?thread_ts=([\d.]+))?$/;
const inChannel = (place) => `/?${new URLSearchParams({ as: look().as, ...place })}`;

function onClick(event) {
  const on = (selector) => event.target.closest(selector);
  if (away() && on('[aria-disabled=true]')) return event.preventDefault();
  const href = hrefHere(on('a'));
  if (href && !event.metaKey && !event.ctrlKey) {
    event.preventDefault();
    return go(href);
  }
  const menu = on('[data-menu]');
  closeMenu(menu ?? undefined);
  if (menu) return openMenu(menu, (value) => chosen(menu, value));
  const press = on('button[data-press]');
  if (press) {
    if (press.dataset.url) window.open(press.dataset.url, '_blank', 'noopener');
    return pressed(press, press.dataset.option === undefined ? {} : { option: press.dataset.option });
  }
  const close = on('[data-close]');
  if (close) return act({ type: 'close', view: close.dataset.close });
  const dismiss = on('[data-dismiss]');
  if (dismiss) return act({ type: 'dismiss', ephemeral: dismiss.dataset.dismiss });
  const trick = on('[data-trick]');
  if (trick) return handOver('trick', trick.dataset.trick);
  const check = on('[data-check]');
  if (check && !check.ariaDisabled) return handOver('check', check.dataset.check);
  const folded = on('[data-fold]');
  if (folded) return handOver('fold', folded.dataset.fold);
  const plain = on('[data-act]');
  if (plain) return act(JSON.parse(plain.dataset.act));
  const copy = on('[data-copy]');
  if (copy) return copied(copy.dataset.copy);
  const guide = on('[data-guide]');
  if (guide) return leftGuide(guide.dataset.guide === 'done');
  const offer = on('[data-say]');
  if (offer) {
    offer.closest('details')?.removeAttribute('open');
    return say(offer.dataset.say);
  }
  if (on('[data-stop]')) return act({ type: 'stop', channel: look().channel, thread: look().thread });
}

/** Who is through with the guide goes on with the plays of the channel, and who skips it also with an open thread. */
async function leftGuide(isDone) {
  await handOver('guide', '');
  if (isDone) {
    const { as, channel } = look();
    await go(`/?${new URLSearchParams({ as, channel })}`);
    document.querySelector('.plays')?.setAttribute('open', '');
  }
  (inThread() ?? document.querySelector('.plays:not([open]) summary, .offer'))?.focus();
}

async function chosen(menu, value) {
  const { shortcut } = menu.dataset;
  if (shortcut && (await chosenOfSlack(act, shortcut, value))) return;
  if (shortcut) return act({ type: 'shortcut', target: shortcut, callbackId: value });
  return pressed(menu, { option: value });
}

/** Shows the button as busy until the app has answered, after asking where the app wants that. */
async function pressed(element, more = {}) {
  const { confirm, ...press } = JSON.parse(element.dataset.press ?? element.dataset.choose);
  if (confirm && !(await confirmed(confirm, element))) return;
  element.classList.add('busy');
  await act({ type: 'press', ...press, ...more });
  element.classList.remove('busy');
}

function onChoose(event) {
  if (event.target.matches('.attach input')) return nameFiles(event.target.form);
  const element = event.target.closest('[data-choose]');
  if (!element) return;
  const option =
    element.tagName === 'FIELDSET' ? checkedIn(element) : element.multiple ? chosenIn(element) : element.value;
  pressed(element, { option });
}

const checkedIn = (fieldset) => {
  const values = [...fieldset.querySelectorAll('input:checked')].map((input) => input.value);
  return fieldset.querySelector('input[type=radio]') ? (values[0] ?? '') : values;
};
const chosenIn = (select) => [...select.selectedOptions].map((option) => option.value);

async function onSubmit(event) {
  event.preventDefault();
  const form = event.target;
  if (form.dataset.form) return act({ type: 'submit', view: form.dataset.form, values: filledIn(form) });
  const field = form.querySelector('textarea');
  const text = field.value.trim();
  const files = await attached(form);
  if (text === '' && files.length === 0) return;
  if (form.dataset.sending) return;
  form.dataset.sending = 'yes';
  const taken = await say(text, { inThread: form.dataset.compose?.startsWith('thread-'), files });
  delete form.dataset.sending;
  // What was not taken stays where it was written.
  if (!taken) return;
  if (field.value.trim() === text) form.reset();
  nameFiles(form);
  grow(field);
}

/** Returns whether the server took it. A conversation with the app goes on in its thread, so that is opened. */
async function say(text, { inThread = false, files = [] } = {}) {
  const { channel, thread } = look();
  const answer = await act({
    type: 'say',
    channel,
    text,
    ...(inThread ? { thread } : {}),
    ...(files.length === 0 ? {} : { files }),
  });
  if (!answer.ok) return false;
  showLatest(inThread ? thread : channel);
  if (inThread || !answer.ts) return true;
  if (!channel.startsWith('D') && !/@countersign/i.test(text)) {
    toast('The agent was not asked. In a channel, begin with @countersign.');
  } else {
    const next = query();
    next.set('thread', answer.ts);
    await go(`/?${next}`);
  }
  return true;
}

function filledIn(form) {
  const values = {};
  for (const field of form.querySelectorAll('[data-field]')) {
    const name = field.dataset.field;
    if (field.type === 'checkbox') {
      values[name] ??= [];
      if (field.checked) values[name].push(field.value);
    } else if (field.type === 'radio') {
      values[name] ??= '';
      if (field.checked) values[name] = field.value;
    } else values[name] = field.multiple ? chosenIn(field) : field.value;
  }
  return values;
}

function onKey(event) {
  if (event.key === 'Escape') {
    if (closeMenu()) return;
    const view = document.querySelector('[role=dialog][data-view]')?.dataset.view;
    if (view && !document.querySelector('dialog[open]')) act({ type: 'close', view });
  }
  const field = event.target.closest?.('.composer textarea');
  if (field && event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    field.form.requestSubmit();
  }
}

function onInput(event) {
  if (event.target.matches('.composer textarea')) grow(event.target);
}

function grow(field) {
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight, 200)}px`;
}
