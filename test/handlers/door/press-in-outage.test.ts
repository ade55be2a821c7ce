import { expect, it } from 'vitest';
import { cardPress, submission, viewPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { APPROVAL, approved, pending } from '../views/records.ts';

onStage();

const PRESSES = [
  ['a button of a card', cardPress({ action: 'approval_approve' })],
  ['a button of all rows', cardPress({ action: 'list_approve_all' })],
  ['a choice of a menu', cardPress({ action: 'approval_more', option: `deny ${APPROVAL}` })],
  ['a button in a view', viewPress({ action: 'approval_approve' })],
] as const;

const refused = () => ({ type: 'status', status: 503 }) as const;
const METHODS = ['views.open', 'views.update', 'chat.postEphemeral', 'users.info', 'chat.update'];

it.each(PRESSES)(
  '%s is acknowledged before its workspace is found and before Slack is asked anything, so no outage delays it (SURF-3)',
  async (_what, press) => {
    let find: (() => void) | undefined;
    await start(
      { found: pending(), decide: async () => ({ type: 'decided', approval: approved() }) },
      {
        workspaces: (workspaces) => ({
          ...workspaces,
          ofDelivery: async (body) => {
            if (JSON.stringify(body ?? {}).includes('block_actions')) await new Promise<void>((go) => (find = go));
            return workspaces.ofDelivery(body);
          },
        }),
      },
    );
    const before = api.calls.length;
    for (const method of METHODS) api.next(method, ...Array.from({ length: 20 }, refused));
    api.refuseResponses();

    const response = await door.press(press);

    expect(response.status).toBe(200);
    expect(bot.asked.presses).toEqual([]);
    expect(api.calls.slice(before)).toEqual([]);
    find?.();
  },
);

it('a form that decides is acknowledged while Slack refuses everything (SURF-3)', async () => {
  await start({ decide: async () => ({ type: 'decided', approval: approved() }) });
  const before = api.calls.length;
  for (const method of METHODS) api.next(method, ...Array.from({ length: 20 }, refused));

  const response = await door.press(submission({ callback: 'approval_deny_reason', values: { reason: 'No.' } }));

  expect(response.status).toBe(200);
  expect(bot.asked.presses).toHaveLength(1);
  expect(api.calls.slice(before)).toEqual([]);
});
