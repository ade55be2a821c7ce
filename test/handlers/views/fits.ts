import { expect } from 'vitest';

interface Surface {
  readonly blocks: readonly unknown[];
  readonly text?: string;
  /** The end of a stream has blocks and no text. */
  readonly isMessage?: boolean;
}

/**
 * Slack's limits once more, written from its documentation and not from our table: a wrong number there is found here.
 */
export function problems(surface: Surface): readonly string[] {
  const found: string[] = [];
  const { isMessage = surface.text !== undefined } = surface;
  const most = isMessage ? 50 : 100;
  if (surface.blocks.length === 0 || surface.blocks.length > most) found.push(`${surface.blocks.length} blocks`);
  if (surface.text !== undefined && (surface.text.trim() === '' || surface.text.length > 4_000)) {
    found.push(`fallback of ${surface.text.length}`);
  }
  found.push(...unknownBlocks(surface.blocks, !isMessage));
  walk(surface.blocks, (part) => found.push(...faults(part)));
  const ids = parts(surface.blocks).flatMap((part) => (typeof part.block_id === 'string' ? [part.block_id] : []));
  if (new Set(ids).size !== ids.length) found.push('a block id twice');
  if (surface.text !== undefined && textOf(surface.blocks).length > 13_000) found.push('too much text');
  if (new TextEncoder().encode(JSON.stringify(surface)).length > 250_000) found.push('over 250 KB');
  return found;
}

export function expectToFit(surface: { readonly blocks: readonly unknown[]; readonly text?: string }): void {
  expect(problems(surface)).toEqual([]);
}

type Part = Readonly<Record<string, unknown>>;

/** What Slack takes in a message and in a view, by the type of the block. */
const IN_BOTH = ['section', 'divider', 'image', 'actions', 'context', 'header', 'rich_text', 'video'];
const IN_MESSAGES = [
  ...IN_BOTH,
  'markdown',
  'file',
  'table',
  'context_actions',
  'task_card',
  'plan',
  'card',
  'carousel',
];
const IN_VIEWS = [...IN_BOTH, 'input', 'alert'];

function unknownBlocks(blocks: readonly unknown[], isView: boolean): readonly string[] {
  const known = isView ? [...IN_VIEWS, 'modal', 'home'] : IN_MESSAGES;
  return blocks.flatMap((block) => {
    const type = isPart(block) ? String(block.type) : typeof block;
    return known.includes(type) ? [] : [`a block of the type ${type}`];
  });
}

function faults(part: Part): readonly string[] {
  const found: string[] = [];
  const text = (value: unknown): string => {
    if (typeof value === 'string') return value;
    return isPart(value) && typeof value.text === 'string' ? value.text : '';
  };
  const atMost = (name: string, value: string, most: number, least = 0) => {
    if (value.length > most || value.length < least) found.push(`${String(part.type)}.${name} of ${value.length}`);
  };
  const options = (most: number) => {
    amount('options', most);
    const list = [part.options, part.initial_options, part.initial_option].flat().filter(isPart);
    for (const option of list) {
      atMost('option', text(option.text), 75, 1);
      atMost('option value', String(option.value), 150, 1);
      atMost('option description', text(option.description), 75);
    }
  };
  const amount = (name: string, most: number) => {
    const list = part[name];
    if (Array.isArray(list) && (list.length > most || list.length === 0))
      found.push(`${String(part.type)}.${name} × ${list.length}`);
  };

  if (typeof part.block_id === 'string') atMost('block_id', part.block_id, 255, 1);
  if (typeof part.action_id === 'string') atMost('action_id', part.action_id, 255, 1);
  if (part.placeholder !== undefined) atMost('placeholder', text(part.placeholder), 150, 1);
  if (typeof part.url === 'string') atMost('url', part.url, 3_000, 1);
  switch (part.type) {
    case 'section':
      amount('fields', 10);
      if (part.text === undefined && part.fields === undefined) found.push('an empty section');
      if (part.text !== undefined) atMost('text', text(part.text), 3_000, 1);
      if (Array.isArray(part.fields)) for (const field of part.fields) atMost('field', text(field), 2_000, 1);
      break;
    case 'context':
      amount('elements', 10);
      break;
    case 'actions':
      amount('elements', 25);
      break;
    case 'context_actions':
      amount('elements', 5);
      break;
    case 'header':
      atMost('text', text(part.text), 150, 1);
      break;
    case 'image':
      atMost('image_url', String(part.image_url ?? ''), 3_000);
      atMost('alt_text', String(part.alt_text ?? ''), 2_000, 1);
      break;
    case 'markdown':
      atMost('text', text(part.text), 12_000, 1);
      break;
    case 'text':
      atMost('text', text(part.text), 3_000, 1);
      break;
    case 'button':
      atMost('text', text(part.text), 75, 1);
      atMost('value', String(part.value ?? ''), 2_000);
      atMost('accessibility_label', String(part.accessibility_label ?? ''), 75, 1);
      if (!isNamedByItsWords(part.accessibility_label, text(part.text))) {
        found.push(`button “${text(part.text)}” is called “${part.accessibility_label}”`);
      }
      if (isPart(part.confirm)) {
        atMost('confirm.title', text(part.confirm.title), 100, 1);
        atMost('confirm.text', text(part.confirm.text), 300, 1);
        atMost('confirm.confirm', text(part.confirm.confirm), 30, 1);
        atMost('confirm.deny', text(part.confirm.deny), 30, 1);
      }
      break;
    case 'overflow':
      options(5);
      break;
    case 'input':
      atMost('label', text(part.label), 2_000, 1);
      atMost('hint', text(part.hint), 2_000);
      break;
    case 'plain_text_input':
      atMost('initial_value', String(part.initial_value ?? ''), Math.min(Number(part.max_length ?? 3_000), 3_000));
      break;
    case 'radio_buttons':
    case 'checkboxes':
      options(10);
      break;
    case 'static_select':
    case 'multi_static_select':
      options(100);
      break;
    case 'modal':
      atMost('submit', text(part.submit), 24);
      atMost('title', text(part.title), 24, 1);
      atMost('close', text(part.close), 24, 1);
      atMost('private_metadata', String(part.private_metadata ?? ''), 3_000);
      break;
    default:
      break;
  }
  return found;
}

/** A person who speaks to their computer says the words on the button. */
function isNamedByItsWords(name: unknown, words: string): boolean {
  const spoken = String(name).toLowerCase();
  // Words that are cut in their middle may be spoken whole.
  return words
    .toLowerCase()
    .split('…')
    .every((part) => spoken.includes(part));
}

/** Every object inside, outermost first. */
export function parts(value: unknown): readonly Part[] {
  const found: Part[] = [];
  walk(value, (part) => found.push(part));
  return found;
}

function walk(value: unknown, visit: (part: Part) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  if (!isPart(value)) return;
  visit(value);
  for (const item of Object.values(value)) walk(item, visit);
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function ofType(value: unknown, type: string): readonly Part[] {
  return parts(value).filter((part) => part.type === type);
}

export function textOf(value: unknown): string {
  return parts(value)
    .flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

export function buttonTexts(value: unknown): readonly string[] {
  return ofType(value, 'button').map((part) => (isPart(part.text) ? String(part.text.text) : ''));
}
