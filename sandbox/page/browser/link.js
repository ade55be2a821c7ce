// Knows whether the server is there, which says so twice a second.

const SILENT_MS = 1500;
const RETRY_MS = 500;
const WORDS = 'The demo has stopped. Start it again with npm run demo: this page then goes on by itself.';

let isAway = false;
export const away = () => isAway;

/** Calls `onChange` whenever there is something new to show, as after the server was away. */
export function follow(onChange) {
  let timer;
  const connect = () => {
    const source = new EventSource('/page/changes');
    const wait = (gone) => {
      clearTimeout(timer);
      timer = setTimeout(gone, SILENT_MS);
    };
    const gone = () => {
      source.close();
      clearTimeout(timer);
      leave();
      timer = setTimeout(connect, RETRY_MS);
    };
    wait(gone);
    source.addEventListener('error', gone);
    source.addEventListener('beat', () => wait(gone));
    source.addEventListener('change', () => {
      wait(gone);
      comeBack();
      onChange();
    });
  };
  connect();
}

function leave() {
  if (isAway) return;
  isAway = true;
  document.getElementById('away').textContent = WORDS;
  // What is being written stays, and the focus where it is. The next drawing takes this away again.
  for (const control of document.querySelectorAll('#root :is(button, select, a, input:not([type=text]))')) {
    control.setAttribute('aria-disabled', 'true');
  }
}

function comeBack() {
  if (!isAway) return;
  isAway = false;
  document.getElementById('away').textContent = '';
  document.getElementById('said').textContent = 'The demo is back.';
}
