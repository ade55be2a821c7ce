import { createElement } from 'react';
import { Message, type MessageProps } from 'slack-blocks-to-jsx';
import type { Block } from '../block-kit/blocks.ts';
import { elementsOf } from '../block-kit/check.ts';
import type { TextObject } from '../block-kit/text.ts';
import type { World } from '../world.ts';
import { control } from './controls.ts';
import type { ControlAddress } from './fields.ts';
import { div, type Html, h, keyed, span } from './kit/element.ts';
import { drawEmoji, drawLink, drawMrkdwn, drawTextObject } from './kit/mrkdwn.ts';
import { channelName, mentionName } from './kit/names.ts';

/**
 * Block Kit as HTML. A package draws rich text, Markdown, tables and tasks. Text objects are drawn here, because the
 * package reads plain text as mark-up. Controls are drawn here, because they have to work.
 */
export function drawBlocks(world: World, blocks: readonly Block[], place: ControlAddress): Html {
  return blocks.map((block, index) =>
    keyed('div', block.block_id ?? `${index}`, { className: 'block' }, drawBlock(world, block, place)),
  );
}

function drawBlock(world: World, block: Block, place: ControlAddress): Html {
  switch (block.type) {
    case 'actions':
    case 'context_actions':
      return div('actions', ...controlsOf(world, block, place));
    case 'section':
      return drawSection(world, block, place);
    case 'input':
      return drawInput(world, block, place);
    case 'image':
      return picture(block.alt_text, block.title?.text);
    case 'header':
      return h('h3', { className: 'heading' }, drawTextObject(world, block.text));
    case 'context':
      return drawContext(world, block);
    case 'alert':
      return h(
        'div',
        { className: `alert ${block.level ?? 'default'}`, role: 'note' },
        drawTextObject(world, block.text),
      );
    case 'divider':
      return h('hr', {});
    case 'card':
      return drawCard(world, block, place);
    case 'container':
      return div('card', h('p', {}, 'A container block is drawn by Slack only.'));
    case 'markdown':
      // An image in Markdown is a link in Slack, and must not be fetched here.
      return readOnly(world, [{ ...block, text: block.text.replaceAll('![', '[') }]);
    default:
      return readOnly(world, [block]);
  }
}

type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

function controlsOf(world: World, block: Block, place: ControlAddress): readonly Html[] {
  const here = { ...place, blockId: block.block_id ?? '' };
  return elementsOf(block).map((element) => control(world, here, element));
}

function drawSection(world: World, block: BlockOf<'section'>, place: ControlAddress): Html {
  const { text, fields, accessory } = block;
  const words = div(
    'section',
    text === undefined ? null : drawTextObject(world, text),
    fields === undefined ? null : div('fields', ...fields.map((field) => drawTextObject(world, field))),
  );
  if (accessory === undefined) return words;
  if (accessory.type === 'image') return div('with-accessory', words, picture(accessory.alt_text));
  const used = control(world, { ...place, blockId: block.block_id ?? '' }, accessory, labelOf(text?.text));
  return div('with-accessory', words, div('accessory', used));
}

function drawInput(world: World, block: BlockOf<'input'>, place: ControlAddress): Html {
  if (block.element.type === 'image') return null;
  const blockId = block.block_id ?? '';
  const error = place.errors?.[blockId];
  const optional = block.optional === true ? span('optional', ' (optional)') : null;
  const described = [block.hint === undefined ? '' : `hint-${blockId}`, error === undefined ? '' : `error-${blockId}`];
  const field = { ...place, blockId, describedBy: described.filter((id) => id !== '').join(' '), inForm: true };
  return div(
    error === undefined ? 'field' : 'field wrong',
    div('label', block.label.text, optional),
    control(world, field, block.element, block.label.text),
    block.hint === undefined ? null : h('p', { className: 'hint', id: `hint-${blockId}` }, block.hint.text),
    error === undefined ? null : h('p', { className: 'error', id: `error-${blockId}`, role: 'alert' }, error),
  );
}

function drawContext(world: World, { elements }: BlockOf<'context'>): Html {
  const parts = elements.map((element) =>
    element.type === 'image' ? span('', `[${element.alt_text}]`) : drawTextObject(world, element),
  );
  return div('context', ...parts);
}

function drawCard(world: World, block: BlockOf<'card'>, place: ControlAddress): Html {
  const used = controlsOf(world, block, place);
  return div(
    'card',
    ...cardText(block).map((text) => drawTextObject(world, text)),
    used.length === 0 ? null : div('actions', ...used),
  );
}

function cardText({ title, subtitle, body }: BlockOf<'card'>): readonly TextObject[] {
  const bold = title === undefined ? [] : [{ ...title, text: `*${title.text}*` }];
  return [...bold, subtitle, body].flatMap((text) => text ?? []);
}

/** Plain text of the bot or of people, which is mrkdwn. */
export function drawText(world: World, text: string): Html {
  return div('block', drawMrkdwn(world, text));
}

/** Draws the description of a picture: the page fetches nothing from the outside world. */
function picture(description: string, title?: string): Html {
  return h(
    'figure',
    { className: 'picture' },
    title ?? null,
    h('span', { role: 'img', 'aria-label': description }, description),
  );
}

function labelOf(text: string | undefined): string | undefined {
  return text?.replaceAll(/[*_~`]/g, '').split('\n')[0];
}

function readOnly(world: World, blocks: readonly Block[]): Html {
  return createElement(Message, {
    // Our schemas checked these blocks; the package's own types differ from Slack's in small things.
    blocks: blocks as unknown as MessageProps['blocks'],
    name: '',
    logo: '',
    theme: 'light',
    withoutWrapper: true,
    hooks: {
      user: ({ id }) => span('mention', mentionName(world, id)),
      channel: ({ id }) => span('mention', channelName(world, id)),
      usergroup: ({ id }) => span('mention', `@${world.groups.get(id)?.handle ?? id}`),
      atHere: () => span('mention loud', '@here'),
      atChannel: () => span('mention loud', '@channel'),
      atEveryone: () => span('mention loud', '@everyone'),
      emoji: (emoji, parse) => drawEmoji(emoji.name) ?? parse(emoji),
      link: ({ href, children }) => drawLink(href, children),
    },
  });
}
