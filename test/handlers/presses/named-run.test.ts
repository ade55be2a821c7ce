import { expect, it } from 'vitest';
import { given } from '../../../app/given.ts';
import { NARROWEST } from '../../../handlers/views/forms/terms-modal.ts';
import { approvalCard, listCard } from '../../../handlers/views/index.ts';
import { CARD, cardPress, MEMORY, submission } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { LIST, list } from '../views/lists.ts';
import { APPROVAL, pending, RUN } from '../views/records.ts';

onStage();

type Drawn = ReturnType<typeof approvalCard>['blocks'];

/** The ids of the blocks with a button that decides. */
function blocksWith(blocks: Drawn, action: string): readonly string[] {
  return blocks.filter((block) => JSON.stringify(block).includes(`"${action}"`)).map(({ block_id = '' }) => block_id);
}

it.each(['approval_approve', 'approval_deny'])(
  'a press of %s on a card tells the run of the approval and what its person saw (P42)',
  async (action) => {
    await start({ decide: async () => ({ type: 'failed' }) });
    const rows = blocksWith(listCard(list()).blocks, action);
    const blocks = [...blocksWith(approvalCard(pending({ revision: 7 })).blocks, action), ...rows];
    expect(rows.length).toBeGreaterThan(1);

    for (const block of blocks) await door.press(cardPress({ action, block }));
    await api.until(() => bot.asked.presses.length === blocks.length);

    expect(bot.asked.presses.map(({ run }) => run)).toEqual(blocks.map(() => RUN));
    expect(bot.asked.presses[0]).toMatchObject({ approval: APPROVAL, from: { type: 'card', shows: 7 } });
  },
);

it('a press on all rows of a card tells the run of the list (P42)', async () => {
  await start({});
  const [block = ''] = blocksWith(listCard(list()).blocks, 'list_approve_all');

  await door.press(cardPress({ action: 'list_approve_all', value: LIST, block }));
  await api.until(() => bot.asked.onAll.length === 1);

  expect(bot.asked.onAll[0]).toMatchObject({ list: LIST, run: RUN });
});

it.each([
  ['as older versions drew them', `choices:${APPROVAL}:7`, 7],
  ['that name what is no run', `choices:${APPROVAL}:7:${APPROVAL}`, undefined],
  ['of a page of the full view', `choices:${APPROVAL}:7:0`, undefined],
  ['of other apps', 'b', undefined],
])('a press in a block with an id %s tells no run (P42)', async (_what, block, shows) => {
  await start({ decide: async () => ({ type: 'failed' }) });

  await door.press(cardPress({ action: 'approval_approve', block }));
  await api.until(() => bot.asked.presses.length === 1);

  const { run, from } = bot.asked.presses[0] ?? {};
  expect({ run, from }).toEqual({ run: undefined, from: { type: 'card', card: CARD, ...given({ shows }) } });
});

it.each<readonly [string, Readonly<Record<string, string>>, object]>([
  ['approval_deny_reason', { reason: 'Not now.' }, {}],
  ['approval_answer_form', { answer: 'Tomorrow.' }, {}],
  ['approval_confirm', {}, { confirms: 'a9f1' }],
  ['approval_edit', { input: '{}' }, {}],
  ['trust_line', {}, { terms: NARROWEST }],
  ['list_deny_reason', { reason: 'Not now.' }, {}],
])(
  'the form %s tells the run that it was opened for, and none where it names none (P42)',
  async (callback, values, more) => {
    await start({ decide: async () => ({ type: 'failed' }) });

    await door.press(submission({ callback, values, memory: { ...MEMORY, ...more, run: RUN } }));
    await door.press(submission({ callback, values, memory: { ...MEMORY, ...more } }));

    expect([...bot.asked.presses, ...bot.asked.onAll].map(({ run }) => run)).toEqual([RUN, undefined]);
  },
);

it.each([
  ['approval_answer', {}],
  ['approval_more', { option: `deny ${APPROVAL}` }],
  ['approval_more', { option: `edit ${APPROVAL}` }],
])('the form that %s opens remembers the run of its approval (P42)', async (action, more) => {
  await start({ found: pending() });

  await door.press(cardPress({ action, ...more }));
  await api.until(() => api.to('views.update').length > 0);

  expect(JSON.stringify(api.to('views.update')[0]?.args.view)).toContain(RUN);
});
