// Keeps the keyboard where a person works, and tells a screen reader what came of it.

const dialogNow = () => document.querySelector('[role=dialog][data-view]');
let opener;

/** Remembers where the person is. Call what it returns after the page was drawn anew. */
export function keepPlace() {
  const { activeElement } = document;
  const articles = [...document.querySelectorAll('article')];
  const article = activeElement?.closest('article');
  const nextInLine = article ? articles.slice(articles.indexOf(article)) : [];
  const log = activeElement?.closest('[data-scroll]');
  const before = dialogNow()?.dataset.view;
  const hadField = hasField();
  const said = saidNow();
  return () => {
    announce(said);
    const dialog = dialogNow();
    if (dialog && dialog.dataset.view !== before) {
      if (!before) opener = { element: activeElement, nextInLine, log };
      hold(dialog);
      return fieldIn(dialog).focus();
    }
    hold(dialog);
    // The app has filled a form that only said to wait.
    if (dialog && !hadField && hasField()) return fieldIn(dialog).focus();
    if (!dialog && before) goOn(opener ?? {});
    else if (dialog && !dialog.contains(document.activeElement) && activeElement?.closest('[role=dialog]')) {
      fieldIn(dialog).focus();
    } else if (article && document.activeElement === document.body) goOn({ element: activeElement, nextInLine, log });
  };
}

/** A page that opens with a dialog begins in it. */
export function begin() {
  const dialog = dialogNow();
  hold(dialog);
  if (dialog) fieldIn(dialog).focus();
}

/** Behind a dialog nothing can be reached. */
function hold(dialog) {
  for (const part of document.getElementById('root').children) {
    part.toggleAttribute('inert', Boolean(dialog) && !part.contains(dialog));
  }
}

/** The Tab key stays in the dialog. */
export function onTab(event) {
  const dialog = document.querySelector('dialog[open]') ?? dialogNow();
  if (event.key !== 'Tab' || !dialog) return;
  const all = [...dialog.querySelectorAll('button, input, select, textarea, a[href], summary')].filter(
    (element) => !element.disabled && element.offsetParent !== null,
  );
  const [first, last] = event.shiftKey ? [all.at(-1), all[0]] : [all[0], all.at(-1)];
  if (document.activeElement !== last && dialog.contains(document.activeElement)) return;
  event.preventDefault();
  first?.focus();
}

const FIELD = '.form :is(input, textarea, select)';
const hasField = () => Boolean(dialogNow()?.querySelector(FIELD));
const fieldIn = (dialog) =>
  dialog.querySelector('[aria-invalid], [autofocus]') ?? dialog.querySelector(FIELD) ?? dialog.querySelector('button');

/** To the button that was used, or else to its message, or what stands there now. */
function goOn({ element, nextInLine = [], log }) {
  const there = [element, ...nextInLine, log].find((part) => part?.isConnected && part !== document.body);
  there?.focus();
}

const saidNow = () =>
  new Map([...document.querySelectorAll('.thread [data-said]')].map((message) => [message.id, message.dataset.said]));

/** A message that says something else than before, such as a card that was decided. */
function announce(before) {
  const changed = [...saidNow()].filter(([id, words]) => before.has(id) && before.get(id) !== words);
  if (changed.length > 0) document.getElementById('said').textContent = changed.map(([, words]) => words).join(' ');
}
