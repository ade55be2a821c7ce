import type { SessionState } from '../records.ts';
import { type Html, h, keyed, span } from './kit/element.ts';
import { icon } from './kit/icons.ts';
import type { ShownPage } from './shown-page.ts';

/** What the bot is doing in this thread, with Slack's own Stop while it works. */
export function statusLine(session: SessionState): Html {
  const words =
    session.line !== undefined && session.line !== ''
      ? `Countersign ${session.line}`
      : STATUS[session.status ?? 'active'];
  return h(
    'div',
    {
      className: `status ${session.status ?? 'active'}`,
      role: 'status',
      'aria-label': 'What the agent is doing',
      'data-key': 'status',
    },
    words === '' ? null : span('pulse'),
    words,
    session.status === 'processing'
      ? h('button', { type: 'button', className: 'button small', 'data-stop': true }, 'Stop')
      : null,
  );
}

const STATUS = {
  processing: 'Countersign is working…',
  suspended: 'Countersign waits for a person',
  active: '',
  closed: 'This session is closed',
};

const WRITE = 'write';

/** The first stop of the keyboard, so that it need not pass all threads. It is seen while it has the focus. */
export function toWriting({ home }: Pick<ShownPage, 'home'>): Html {
  if (home) return null;
  return h('a', { className: 'to-writing', href: `#${WRITE}`, 'data-key': 'to-writing' }, 'Go to the message field');
}

/** The field in which a person writes. The link leads to that of the innermost place. */
export function composer(label: string, key: string, placeholder: string, isInnermost: boolean): Html {
  return keyed(
    'form',
    `composer-${key}`,
    { className: 'composer', 'data-compose': key },
    h('textarea', {
      ...(isInnermost ? { id: WRITE } : {}),
      ...{ name: 'text', rows: 1, 'aria-label': label, placeholder, autoComplete: 'off' },
    }),
    h(
      'label',
      { className: 'attach', title: 'Attach files' },
      icon('file'),
      h('input', { type: 'file', name: 'files', multiple: true, 'aria-label': `Attach files: ${label}` }),
    ),
    h('button', { className: 'send', 'aria-label': `Send: ${label}` }, icon('send')),
  );
}
