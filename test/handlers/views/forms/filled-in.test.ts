import type { ModalView } from '@slack/types';
import { beforeEach, describe, expect, it } from 'vitest';
import { NARROWEST } from '../../../../handlers/views/forms/terms-modal.ts';
import { openDoor, type SlackApi, slackApi, TEAM } from '../../../support/slack.ts';
import { watched } from '../../watched.ts';
import { doubt } from '../doubts.ts';
import { parts as inside } from '../fits.ts';
import { inquiry } from '../inquiries.ts';
import { list } from '../lists.ts';
import { ASKING, EDITABLE, EVERY_FIELD, pictures, type Surface } from '../pictures.ts';
import { ANN, BEN, everyState, pending, ZOE } from '../records.ts';

/** What can stand in a field: one of its choices, or two words. */
interface FieldChoices {
  readonly id: string;
  readonly type: string;
  readonly values: readonly string[];
}

const isForm = (drawn: Surface | readonly Surface[]): drawn is ModalView => 'type' in drawn && 'submit' in drawn;

const forms = pictures().flatMap(({ name, drawn }) => (isForm(drawn) ? [{ name, form: drawn }] : []));

function fieldsOf(form: ModalView): readonly FieldChoices[] {
  return inside(form.blocks.filter(({ type }) => type === 'input'))
    .filter(({ action_id }) => typeof action_id === 'string')
    .map((element) => ({ id: `${element.action_id}`, type: `${element.type}`, values: valuesOf(element) }));
}

function valuesOf(element: Readonly<Record<string, unknown>>): readonly string[] {
  const options = inside(element.options).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  if (options.length > 0) return options;
  return element.type === 'users_select' ? [BEN, ZOE] : ['1', '2'];
}

/** Choices that are refused alone, and what has to be chosen with them. */
const TOGETHER: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'match fields': [['parts', 'service']],
  'parts service': [['match', 'fields']],
  'parts replicas': [['match', 'fields']],
};

/** A field as Slack sends it. */
function filled(type: string, value: string): Readonly<Record<string, unknown>> {
  switch (type) {
    case 'plain_text_input':
      return { type, value };
    case 'users_select':
      return { type, selected_user: value };
    case 'multi_static_select':
    case 'checkboxes':
      return { type, selected_options: value === '' ? [] : [{ value }] };
    default:
      return { type, selected_option: { value } };
  }
}

describe('a field of a form', () => {
  let api: SlackApi;
  beforeEach(() => {
    api = slackApi();
  });

  const denied = everyState().find(({ status }) => status === 'denied') ?? pending();
  const line = { line: 'restart_service', ...NARROWEST };
  const forEvery = {
    found: pending(),
    list: list(),
    decided: { type: 'decided', approval: denied },
    offer: { type: 'offered', approval: pending(), offer: line },
    considerInquiry: { type: 'open', asks: inquiry({ schema: JSON.stringify(EVERY_FIELD) }) },
    choose: { type: 'answered', asks: doubt({ standing: { status: 'happened', by: ANN, atMs: 1 } }) },
    tools: [{ name: pending().tool, inputSchema: EDITABLE, effect: 'asked', approvers: [] }],
  } as const;
  const WORLDS: Readonly<Record<string, object>> = {
    'modal-answer': { found: ASKING },
    'modal-answer-choices': { found: pending({ wants: { choices: ['Now', 'Tonight'] } }) },
    'modal-inquiry': { considerInquiry: { type: 'open', asks: inquiry() } },
  };

  /** What the bot was wanted to do with a form that was sent like this. */
  async function sent(name: string, form: ModalView, values: ReadonlyMap<string, string>): Promise<string> {
    const { bot, wanted } = watched({ ...forEvery, ...WORLDS[name] });
    const door = await openDoor(bot);
    const state = fieldsOf(form).map(({ id, type }) => [id, { [id]: filled(type, values.get(id) ?? '') }]);
    const reply = await door.press({
      type: 'view_submission',
      user: { id: ANN, team_id: TEAM, username: 'x', name: 'x' },
      team: { id: TEAM, domain: 'demo' },
      trigger_id: '1.2.trigger',
      view: {
        id: 'V0VIEW0001',
        type: 'modal',
        callback_id: form.callback_id,
        private_metadata: form.private_metadata,
        state: { values: Object.fromEntries(state) },
      },
    });
    const said = await reply.text();
    await door.slack.stop();
    const told = JSON.stringify([said, ...api.calls.splice(0).map(({ args }) => args)]);
    if (/Something went wrong|could not read|is not read any more|"errors"/.test(said + told))
      return `refused: ${said}`;
    return wanted.filter((line) => !/\.(find|consider)/.test(line)).join('\n');
  }

  /** Choices that are refused, or that do the same as another one of their field. */
  async function unread(name: string, form: ModalView): Promise<readonly string[]> {
    const fields = fieldsOf(form);
    // No box is ticked at first.
    const usual = new Map(fields.map(({ id, type, values }) => [id, type === 'checkboxes' ? '' : (values[0] ?? '')]));
    const found: string[] = [];
    const alone = await sent(name, form, usual);
    if (alone === '' || alone.startsWith('refused')) found.push(`sent as it is drawn, it does nothing ${alone}`);
    for (const { id, values } of fields) {
      const before = new Map<string, string>();
      for (const value of values) {
        const did = await sent(name, form, new Map([...usual, ...(TOGETHER[`${id} ${value}`] ?? []), [id, value]]));
        if (did === '' || did.startsWith('refused')) found.push(`${id} ${value} is not taken ${did}`);
        else if (before.has(did)) found.push(`${id} ${value} does the same as ${before.get(did)}`);
        before.set(did, value);
      }
    }
    return found;
  }

  it.each(forms)(
    'the field of $name is read, and each of its choices does what no other choice does (P8b)',
    async ({ name, form }) => {
      expect(await unread(name, form)).toEqual([]);
    },
  );

  it.each([
    ['a field that is not read', 'modal-deny', { type: 'plain_text_input', action_id: 'lost' }, 'lost 2 does the same'],
    [
      'a choice that is taken for another one',
      'modal-deny',
      { type: 'radio_buttons', action_id: 'next', options: [{ value: 'another' }, { value: 'stop' }, { value: 'x' }] },
      'next x does the same as another',
    ],
    [
      'a choice that is not taken',
      'modal-terms',
      { type: 'radio_buttons', action_id: 'scope', options: [{ value: 'thread' }, { value: 'planet' }] },
      'scope planet is not taken',
    ],
  ])('the test of a form fails with %s (P8b)', async (_what, name, element, problem) => {
    const { form } = forms.find((one) => one.name === name) ?? {};
    if (form === undefined) throw new Error(`There is no form ${name}.`);
    const others = form.blocks.filter(({ block_id }) => block_id !== element.action_id);
    const planted: unknown = { ...form, blocks: [...others, { type: 'input', block_id: element.action_id, element }] };
    const found = await unread(name, planted as ModalView);

    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
  });
});
