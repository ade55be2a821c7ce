// Asks for the page as it is now, and keeps the reader's place in it.

import { keepPlace } from './focus.js';
import { morph } from './morph.js';
import { closeOrphans } from './popups.js';

let refreshing;
let again = false;

/** One request at a time; what changes meanwhile is asked for after it. */
export async function refresh() {
  if (refreshing) {
    again = true;
    return refreshing;
  }
  refreshing = take();
  try {
    await refreshing;
  } finally {
    refreshing = undefined;
  }
  if (again) {
    again = false;
    await refresh();
  }
}

async function take() {
  const address = location.search;
  const html = await pageAt(address);
  if (html === undefined) return;
  if (address !== location.search) {
    again = true;
    return;
  }
  const bottom = atBottom();
  const fresh = document.createElement('div');
  fresh.innerHTML = html;
  const goOn = keepPlace();
  const step = guide()?.textContent;
  morph(document.getElementById('root'), fresh);
  scrollDown(false, bottom);
  closeOrphans();
  goOn();
  // On a small screen a person may have scrolled away from it.
  if (guide()?.textContent !== step) guide()?.scrollIntoView({ block: 'nearest' });
}

const guide = () => document.querySelector('.guide');

/** The page as the server draws it now; `undefined` while the server is away. */
async function pageAt(address) {
  try {
    return await (await fetch(`/page/app${address}`)).text();
    // The server is away. It is asked again when its notices come back.
  } catch {
    return undefined;
  }
}

/** What grows at its end. Home and an empty channel are read from their top: there is what waits, or what can be tried. */
const timelines = () =>
  [...document.querySelectorAll('[data-scroll]:not([data-scroll=home])')].filter(
    (line) => !line.querySelector('.offers'),
  );
const atBottom = () =>
  new Set(
    timelines()
      .filter((line) => line.scrollHeight - line.scrollTop - line.clientHeight < 80)
      .map((line) => line.dataset.scroll),
  );
/** To what a person has just written, wherever they were reading. */
export function showLatest(key) {
  const line = timelines().find(({ dataset }) => dataset.scroll === key);
  if (line) line.scrollTop = line.scrollHeight;
}

let seen = new Set();
export function scrollDown(all, bottom = new Set()) {
  for (const line of timelines()) {
    const isNew = !seen.has(line.dataset.scroll);
    if (all || isNew || bottom.has(line.dataset.scroll)) line.scrollTop = line.scrollHeight;
  }
  seen = new Set(timelines().map((line) => line.dataset.scroll));
}
