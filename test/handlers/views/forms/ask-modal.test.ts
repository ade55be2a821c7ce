import { expect, it } from 'vitest';
import { askModal } from '../../../../handlers/views/forms/ask-modal.ts';

it('the form about a message names the people whom the message mentions (SURF-1)', () => {
  const text = '<@U0BOT00001> restart the <@U1|x> service <!channel>';
  const { blocks } = askModal({ channel: 'C1', threadTs: '1.2', text });

  expect(blocks[0]).toMatchObject({
    elements: [
      { type: 'rich_text_section' },
      {
        type: 'rich_text_quote',
        elements: [
          { type: 'user', user_id: 'U0BOT00001' },
          { type: 'text', text: ' restart the ' },
          { type: 'user', user_id: 'U1' },
          { type: 'text', text: ' service <!channel>' },
        ],
      },
    ],
  });
});
