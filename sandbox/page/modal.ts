import type { View } from '../records.ts';
import type { World } from '../world.ts';
import { drawBlocks } from './blocks.ts';
import { div, type Html, h } from './kit/element.ts';
import { icon } from './kit/icons.ts';

/** A modal over everything, with its form. Errors stand at their fields. */
export function drawModal(world: World, view: View): Html {
  const { content } = view;
  const title = content.title?.text ?? '';
  const trouble = view.errors[''];
  return h(
    'div',
    { className: 'veil', 'data-key': `view-${view.id}` },
    h(
      'div',
      { className: 'modal', role: 'dialog', 'aria-modal': true, 'aria-label': title, 'data-view': view.id },
      h(
        'form',
        { 'data-form': view.id, noValidate: true },
        h(
          'header',
          {},
          h('h2', {}, title),
          h(
            'button',
            { type: 'button', className: 'tool', 'aria-label': 'Close dialog', 'data-close': view.id },
            icon('close'),
          ),
        ),
        trouble === undefined ? null : h('p', { className: 'trouble', role: 'alert' }, trouble),
        div(
          'form',
          drawBlocks(world, content.blocks, { target: `view:${view.id}`, values: view.values, errors: view.errors }),
        ),
        h(
          'footer',
          {},
          h('button', { type: 'button', className: 'button', 'data-close': view.id }, content.close?.text ?? 'Cancel'),
          content.submit === undefined
            ? null
            : h(
                'button',
                { className: 'button primary', disabled: content.submit_disabled === true },
                content.submit.text,
              ),
        ),
      ),
    ),
  );
}
