/**
 * The text of a page: headings, lists, links and paragraphs as plain text. It reads the page once from its beginning, and
 * only so much of it that no page keeps the process from other work.
 */
export function readableText(html: string): string {
  const out: string[] = [];
  let link: string | undefined;
  let at = 0;
  let room = MOST_CHARS;
  for (let tags = 0; tags <= MOST_TAGS && room > 0 && at < html.length; tags += 1) {
    const open = html.indexOf('<', at);
    const text = html.slice(at, Math.min(open === -1 ? html.length : open, at + room));
    out.push(decoded(text));
    room -= text.length;
    at += text.length;
    if (at !== open) continue;
    const tag = tagAt(html, open);
    at = tag.end;
    if (tag.name === 'a' && !tag.closes) link = hrefIn(tag.text);
    else if (tag.name === 'a' && link !== undefined) {
      out.push(` (${link})`);
      link = undefined;
    } else out.push(breakFor(tag));
  }
  return `${tidy(out.join(''))}${at < html.length ? CUT : ''}`;
}

/** Much more than the model is given of a page. */
const MOST_TAGS = 50_000;
const MOST_CHARS = 500_000;
const CUT = '\n[cut here: the page is longer]';

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly text: string;
  readonly end: number;
}

/** Elements whose content is left out. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'textarea', 'select']);

function tagAt(html: string, open: number): Tag {
  if (html.startsWith('<!--', open)) {
    const close = html.indexOf('-->', open + 4);
    return { name: '', closes: false, text: '', end: close === -1 ? html.length : close + 3 };
  }
  const head = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 40));
  // Not a tag, as in `a < b`.
  if (head === null && html[open + 1] !== '!' && html[open + 1] !== '?')
    return { name: '', closes: false, text: '<', end: open + 1 };
  const close = html.indexOf('>', open);
  const end = close === -1 ? html.length : close + 1;
  const name = (head?.[2] ?? '').toLowerCase();
  const tag = { name, closes: head?.[1] === '/', text: html.slice(open, Math.min(end, open + 4_000)), end };
  if (tag.closes || !SILENT.has(name) || tag.text.endsWith('/>')) return tag;
  return { ...tag, end: endOf(html, name, end) };
}

function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s>/]`, 'gi');
  closing.lastIndex = from;
  const found = closing.exec(html);
  if (found === null) return html.length;
  const close = html.indexOf('>', found.index);
  return close === -1 ? html.length : close + 1;
}

const LINE = new Set(['br', 'tr', 'dt', 'dd', 'div', 'option']);
const PARAGRAPH = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table section article header footer main nav aside pre blockquote figure title'.split(
    ' ',
  ),
);

function breakFor({ name, closes, text }: Tag): string {
  if (name === '') return text === '<' ? '<' : '';
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined && !closes) return `\n\n${'#'.repeat(Number(level))} `;
  if (name === 'li') return closes ? '' : '\n- ';
  if (name === 'td' || name === 'th') return closes ? ' | ' : '';
  if (PARAGRAPH.has(name)) return '\n\n';
  return LINE.has(name) ? '\n' : '';
}

function hrefIn(tag: string): string | undefined {
  const found = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i.exec(tag);
  const href = decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
  return /^(?:https?:|\/|\.)/i.test(href) ? href.slice(0, 2_000) : undefined;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bull', '•'],
  ['middot', '·'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['euro', '€'],
  ['times', '×'],
  ['shy', ''],
]);

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const valid = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return valid ? String.fromCodePoint(point) : '\ufffd';
  });
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[\t\r\f\v \u00a0]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
