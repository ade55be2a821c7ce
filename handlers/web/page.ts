import type { Approval } from '../../app/records/index.ts';
import type { Names } from '../responding/index.ts';
import {
  approvedCall,
  digestLine,
  inputNotes,
  postedTo,
  severalWords,
  shownInSteps,
  toolName,
  undeclaredNote,
  visible,
  visibleProse,
} from '../views/index.ts';

/** The page on which a call is decided outside of Slack: all of what a full view shows, and one form. No script. */

export function* questionPageInSteps(
  approval: Approval,
  form: string,
  names: Names = new Map(),
): Generator<void, string> {
  const { tool, summary, reason, preview, was, precondition, requester, alsoSteeredBy, thread, input, digest } =
    approvedCall(approval);
  const channel = postedTo({ tool, input });
  const part = (title: string, text: string | undefined): string =>
    text === undefined || text.trim() === '' ? '' : `<h2>${title}</h2><p class="said">${prose(text)}</p>`;
  const named = (id: string): string => {
    const name = names.get(id);
    return harmless(visible(name === undefined ? id : `${name} (${id})`));
  };
  const several = severalWords(approval).map(({ mrkdwn }) => `<p>${prose(withoutMarkup(mrkdwn, names))}</p>`);
  const also = alsoSteeredBy.length === 0 ? '' : ` Also wrote here: ${alsoSteeredBy.map(named).join(', ')}.`;
  return page(
    'A decision is needed',
    `<p class="tool">${harmless(visible(toolName(tool)))}</p><p>${prose(summary)}</p>
<p>Asked by ${named(requester)} in ${named(thread.channel)}.${also}</p>${several.join('')}
${part('In the agent’s own words', reason)}
${part('It was approved before, and did not run because this has changed. It was', was)}
${part('Right now', precondition?.text)}
${part('Would change', preview)}
<h2>Input</h2><pre>${yield* harmlessInSteps(yield* shownInSteps(input))}</pre>
${channel !== undefined && names.has(channel) ? `<p>Channel: ${named(channel)}</p>` : ''}
<p class="small">${harmless(visible([digestLine(digest), ...inputNotes(approval), ...undeclaredNote(approval)].join(' · ')))}</p>
<form method="post" action=""><input type="hidden" name="form" value="${harmless(form)}">
<label>A reason, if you deny it<textarea name="reason" maxlength="1000"></textarea></label>
<button name="verdict" value="approve">Approve this one call</button>
<button name="verdict" value="deny" class="deny">Deny</button></form>`,
  );
}

export function sentencePage(title: string, text: string): string {
  return page(title, `<p>${prose(text)}</p>`);
}

/** Turns a sentence written for Slack into plain text: times in words, and people by their names, where they are known. */
export function withoutMarkup(text: string, names: Names = new Map()): string {
  const plain = text
    .replace(/<!date[^|<>]*\|([^<>]*)>/g, '$1')
    .replace(/<@(\w*)>/g, (_, user: string) => names.get(user) ?? 'another person')
    .replace(/<[@!][^<>]*>/g, 'other people')
    .replaceAll('`', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/** The page loads nothing, cannot be framed, is not cached, and hides its address from other sites. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  // The form has to send its origin, which `isOwnForm` checks.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${harmless(title)}</title><style>${STYLE}</style></head><body><main><h1>${harmless(title)}</h1>
${body}</main></body></html>
`;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:44rem;padding:0 1rem}
pre,.said{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid #8884;padding:.2rem 1rem}h2{font-size:1rem;margin:1.4rem 0 .3rem}
.tool{font-family:monospace;font-size:1.2rem}.small{opacity:.7}textarea{display:block;width:100%;margin:.3rem 0 1rem}
button{font:inherit;padding:.5rem 1rem;margin-right:1rem}`;

function prose(text: string): string {
  return harmless(visibleProse(text)).replaceAll('\n', '<br>');
}

function* harmlessInSteps(text: string): Generator<void, string> {
  let html = '';
  for (let from = 0; from < text.length; from += HARMLESS_AT_ONCE) {
    html += harmless(text.slice(from, from + HARMLESS_AT_ONCE));
    yield;
  }
  return html;
}

/** A few milliseconds of work, whatever the signs. */
const HARMLESS_AT_ONCE = 50_000;

function harmless(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
