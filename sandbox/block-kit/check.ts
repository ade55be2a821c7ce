import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type ApiJson, isObject } from '../json.ts';
import { Block } from './blocks.ts';
import type { Interactive } from './elements.ts';
import { Id, plainText } from './text.ts';

/** Checks blocks and views as Slack does. A refusal has Slack's code and says where each problem is. */

export type Checked<T> =
  | { readonly type: 'fine'; readonly value: T }
  | { readonly type: 'refused'; readonly error: string; readonly problems: readonly string[] };

const BLOCKS_IN_MESSAGE = 50;
const BLOCKS_IN_VIEW = 100;
/** Not documented by Slack; measured. */
const TEXT_IN_MESSAGE = 13_200;
const MARKDOWN_IN_MESSAGE = 12_000;
const VIEW_BYTES = 250_000;

export function checkMessageBlocks(blocks: ApiJson): Checked<readonly Block[]> {
  const checked = checkBlocks(blocks, BLOCKS_IN_MESSAGE, 'invalid_blocks');
  if (checked.type === 'refused') return checked;
  if (checked.value.some((block) => block.type === 'alert')) {
    return refused('invalid_blocks', ['alert blocks are for modals only']);
  }
  if (checked.value.filter((block) => block.type === 'table').length > 1) {
    return refused('invalid_blocks', ['only_one_table_allowed']);
  }
  const markdown = checked.value.reduce((sum, block) => sum + (block.type === 'markdown' ? block.text.length : 0), 0);
  if (markdown > MARKDOWN_IN_MESSAGE) return refused('msg_blocks_too_long', []);
  const shown = checked.value.reduce((sum, block) => sum + (block.type === 'markdown' ? 0 : textLength(block)), 0);
  return shown > TEXT_IN_MESSAGE ? refused('msg_blocks_too_long', []) : checked;
}

const ViewFields = z.strictObject({
  type: z.enum(['modal', 'home']),
  blocks: z.unknown(),
  title: plainText(24).optional(),
  submit: plainText(24).optional(),
  close: plainText(24).optional(),
  private_metadata: z.string().max(3000).optional(),
  callback_id: Id.optional(),
  external_id: Id.optional(),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  submit_disabled: z.boolean().optional(),
});
export type ViewContent = Omit<z.infer<typeof ViewFields>, 'blocks'> & { readonly blocks: readonly Block[] };

export function checkView(view: ApiJson, expected: 'modal' | 'home'): Checked<ViewContent> {
  const fields = ViewFields.safeParse(view);
  if (!fields.success) return refused('invalid_arguments', problems(fields.error, '/view'));
  const content = fields.data;
  if (content.type !== expected) return refused('invalid_arguments', [`[ERROR] a ${expected} view is needed here`]);
  if (expected === 'modal' && content.title === undefined) {
    return refused('invalid_arguments', ['[ERROR] missing required field: title [json-pointer:/view]']);
  }
  if (JSON.stringify(view).length > VIEW_BYTES) return refused('view_too_large', []);
  const blocks = checkBlocks(isObject(view) ? (view.blocks ?? null) : null, BLOCKS_IN_VIEW, 'invalid_arguments');
  if (blocks.type === 'refused') return blocks;
  const asks = blocks.value.some((block) => block.type === 'input');
  if (expected === 'modal' && asks && content.submit === undefined) {
    return refused('invalid_arguments', ['[ERROR] a view with input blocks needs a submit button']);
  }
  return { type: 'fine', value: { ...content, blocks: blocks.value } };
}

function checkBlocks(blocks: ApiJson, most: number, error: string): Checked<readonly Block[]> {
  const parsed = z.array(Block).max(most).safeParse(blocks);
  if (!parsed.success) return refused(error, problems(parsed.error, '/blocks'));
  const named = parsed.data.map((block) => ({ ...block, block_id: block.block_id ?? randomId() }));
  const ids = named.flatMap((block) => [block.block_id, ...childrenOf(block).flatMap((child) => child.block_id ?? [])]);
  const repeated = firstRepeated(ids);
  if (repeated !== undefined) return refused(error, [`[ERROR] block_id ${repeated} already exists`]);
  for (const block of named) {
    const twice = firstRepeated(elementsOf(block).flatMap((element) => element.action_id ?? []));
    if (twice !== undefined) return refused(error, [`[ERROR] action_id ${twice} already exists for block_id`]);
  }
  return { type: 'fine', value: named };
}

const childrenOf = (block: Block) => (block.type === 'container' ? block.child_blocks : []);

/** What can be used in a block, in reading order. */
export function elementsOf(block: Block): readonly Interactive[] {
  const elements =
    block.type === 'actions' || block.type === 'context_actions'
      ? block.elements
      : block.type === 'section' && block.accessory !== undefined
        ? [block.accessory]
        : block.type === 'input'
          ? [block.element]
          : block.type === 'card'
            ? (block.actions ?? [])
            : [];
  return elements.filter((element) => element.type !== 'image');
}

function refused(error: string, found: readonly string[]): Checked<never> {
  return { type: 'refused', error, problems: found };
}

function problems(error: z.ZodError, root: string): readonly string[] {
  return error.issues.map((issue) => `[ERROR] ${issue.message} [json-pointer:${[root, ...issue.path].join('/')}]`);
}

function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** Everything a person reads, wherever it stands. Ids and values do not count. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + textLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + (key === 'text' && typeof item === 'string' ? item.length : textLength(item)),
    0,
  );
}

export function randomId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5);
}
