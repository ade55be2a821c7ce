// Menus, confirmations and short notices over the page.

let opened;

/** Calls `choose` with what was chosen. */
export function openMenu(button, choose) {
  const list = document.createElement('div');
  const place = document.createElement('section');
  place.setAttribute('aria-label', 'Menu');
  place.append(list);
  list.className = 'popup';
  list.setAttribute('role', 'menu');
  for (const { text, value, url } of JSON.parse(button.dataset.menu)) {
    const item = document.createElement('button');
    item.type = 'button';
    item.setAttribute('role', 'menuitem');
    item.textContent = text;
    item.addEventListener('click', () => {
      closeMenu();
      if (url) window.open(url, '_blank', 'noopener');
      choose(value);
    });
    list.append(item);
  }
  document.body.append(place);
  const edge = button.getBoundingClientRect();
  const below = edge.bottom + 4 + list.offsetHeight < innerHeight;
  list.style.top = `${below ? edge.bottom + 4 : edge.top - 4 - list.offsetHeight}px`;
  list.style.left = `${Math.max(8, Math.min(edge.left, innerWidth - list.offsetWidth - 8))}px`;
  button.setAttribute('aria-expanded', 'true');
  opened = { place, button };
  list.querySelector('button')?.focus();
  list.addEventListener('keydown', (event) => {
    // The button has the focus again, and the Tab key goes on from there.
    if (event.key === 'Tab') return closeMenu();
    const items = [...list.children];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length).focus();
  });
}

export function closeMenu() {
  if (!opened) return false;
  const { place, button } = opened;
  opened = undefined;
  const hadFocus = place.contains(document.activeElement);
  place.remove();
  button.removeAttribute('aria-expanded');
  if (hadFocus) button.focus();
  return true;
}

let confirming;

export function confirmed({ title, text, confirm, deny, style }, button, field) {
  const dialog = document.createElement('dialog');
  dialog.className = 'modal small';
  dialog.setAttribute('aria-label', title);
  const make = (tag, words, className = '') =>
    Object.assign(document.createElement(tag), { textContent: words, className });
  const foot = make('footer', '');
  const no = make('button', deny, 'button');
  const yes = make('button', confirm, `button ${style}`);
  foot.append(no, yes);
  const head = make('header', '');
  head.append(make('h2', title));
  const body = make('div', text, 'form');
  if (field) body.append(field);
  dialog.append(head, body, foot);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const answer = (value) => {
      confirming = undefined;
      // Closing gives the focus back; removing alone would not.
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    confirming = { button, answer };
    no.addEventListener('click', () => answer(false));
    yes.addEventListener('click', () => answer(true));
    dialog.addEventListener('cancel', () => answer(false));
  });
}

/** Asks for a text. Resolves with `undefined` where a person thinks better of it. */
export function asked(title, value) {
  const field = Object.assign(document.createElement('textarea'), { value, rows: 4, className: 'input' });
  field.setAttribute('aria-label', title);
  const answer = confirmed(
    { title, text: '', confirm: 'Save', deny: 'Cancel', style: 'primary' },
    document.body,
    field,
  );
  return answer.then((isYes) => (isYes ? field.value : undefined));
}

/** A menu or a question ends with the button that it came from. */
export function closeOrphans() {
  if (opened && !opened.button.isConnected) closeMenu();
  if (confirming && !confirming.button.isConnected) confirming.answer(false);
}

let fading;
export function toast(words) {
  const place = document.getElementById('toast');
  place.textContent = words;
  place.classList.add('shown');
  clearTimeout(fading);
  fading = setTimeout(() => {
    place.classList.remove('shown');
    place.textContent = '';
  }, 6000);
}

export async function copied(words) {
  try {
    await navigator.clipboard.writeText(words);
    toast('Copied.');
    // The browser lets no page write there. The words are still on the page.
  } catch {
    toast('The browser did not let the page copy. Select the words and copy them.');
  }
}
