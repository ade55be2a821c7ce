// Menus, confirmations and short notices over the page.

let opened;

/** Calls `choose` with what was chosen. */
export function openMenu(button, choose) {
  const list = document.createElement('div');
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
  document.body.append(list);
  const edge = button.getBoundingClientRect();
  const below = edge.bottom + 4 + list.offsetHeight < innerHeight;
  list.style.top = `${below ? edge.bottom + 4 : edge.top - 4 - list.offsetHeight}px`;
  list.style.left = `${Math.max(8, Math.min(edge.left, innerWidth - list.offsetWidth - 8))}px`;
  button.setAttribute('aria-expanded', 'true');
  opened = { list, button };
  list.querySelector('button')?.focus();
  list.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    if (step) {
      event.preventDefault();
      document.activeElement[step]?.focus();
    }
  });
}

export function closeMenu() {
  if (!opened) return false;
  opened.list.remove();
  opened.button.removeAttribute('aria-expanded');
  opened = undefined;
  return true;
}

export function confirmed({ title, text, confirm, deny, style }) {
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
  dialog.append(head, make('p', text, 'form'), foot);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const answer = (value) => {
      dialog.remove();
      resolve(value);
    };
    no.addEventListener('click', () => answer(false));
    yes.addEventListener('click', () => answer(true));
    dialog.addEventListener('cancel', () => answer(false));
  });
}

let fading;
export function toast(words) {
  const place = document.getElementById('toast');
  place.textContent = words;
  place.classList.add('shown');
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove('shown'), 6000);
}
