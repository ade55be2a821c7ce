// What stands in the menu of a message beside the shortcuts of the app: words of Slack itself.

import { asked } from './popups.js';

/** Does it, and returns whether it was one of these. */
export async function chosenOfSlack(act, target, value) {
  const [kind, what] = value.split(':');
  if (kind !== 'slack') return false;
  if (what !== 'edit') await act({ type: what, target });
  else {
    const text = await asked(
      'Edit message',
      document.getElementById(target.split(':')[2])?.querySelector('.content')?.innerText ?? '',
    );
    if (text !== undefined) await act({ type: 'edit', target, text });
  }
  return true;
}
