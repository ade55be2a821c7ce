import { beforeEach, describe, expect, it } from 'vitest';
import { DELIVERIES } from '../../handlers/index.ts';
import { CHOICES } from '../../handlers/presses/menu.ts';
import { approvalCard } from '../../handlers/views/card/approval-card.ts';
import { MENU } from '../../handlers/views/kit/buttons.ts';
import { inputModal } from '../support/drawn-at-once.ts';
import { BUTTON_ROWS } from '../support/every-delivery.ts';
import { openDoor, type SlackApi, slackApi } from '../support/slack.ts';
import { cardPress, viewPress } from './payloads.ts';
import { parts as inside, ofType, textOf } from './views/fits.ts';
import { pictures, type Surface } from './views/pictures.ts';
import { APPROVAL, everyState, guarded, pending } from './views/records.ts';
import { watched } from './watched.ts';

/** Every picture, which a test of theirs keeps complete, and the card and its full view in all states of three calls. */
const long = JSON.stringify({ text: 'x'.repeat(70_000) });
const surfaces: readonly Surface[] = [
  ...pictures().flatMap(({ drawn }) => drawn),
  ...[pending(), guarded(), pending({ input: long })]
    .flatMap((asked) => everyState(asked))
    .flatMap((approval) => [approvalCard(approval), ...[0, 1, 99].map((page) => inputModal(approval, page))]),
];

/** Something that sends a press by itself, where it stands, and what it carries. */
interface Pressable {
  readonly action: string;
  readonly value: string;
  readonly menu: boolean;
  readonly on: 'message' | 'modal' | 'home';
}

function pressablesOf(surface: Surface): readonly Pressable[] {
  const on = 'type' in surface ? surface.type : 'message';
  // The value of a field is sent with its form, and never alone.
  return inside(surface.blocks.filter(({ type }) => type !== 'input'))
    .filter((part) => typeof part.action_id === 'string')
    .flatMap((part) => {
      const choices = inside([part.options, part.positive_button, part.negative_button]);
      const values = [part, ...choices].flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
      return values.map((value) => ({ action: `${part.action_id}`, value, menu: part.type === 'overflow', on }));
    });
}

const drawn = [
  ...new Map(
    surfaces.flatMap(pressablesOf).map((one) => {
      const [verb, id] = one.value.split(' ');
      return [`${one.action} on a ${one.on}${id === undefined ? '' : `, ${verb}`}`, one] as const;
    }),
  ),
];

const named = (kind: string) => DELIVERIES.filter((one) => one.kind === kind).map(({ name }) => name);

/** What only one of two sides has. */
function unmatched(what: string, drawnOnes: readonly string[], answered: readonly string[]): readonly string[] {
  return [
    ...[...new Set(drawnOnes)].filter((one) => !answered.includes(one)).map((one) => `${what} ${one}: not answered`),
    ...answered.filter((one) => !drawnOnes.includes(one)).map((one) => `${what} ${one}: not drawn`),
  ];
}

const forms = surfaces.filter((surface) => 'type' in surface && surface.type === 'modal' && 'submit' in surface);
const callbacks = forms.flatMap((form) => ('callback_id' in form ? [`${form.callback_id}`] : []));
const actionIds = drawn.map(([, { action }]) => action);
const verbs = drawn.filter(([, { menu }]) => menu).map(([, { value }]) => value.split(' ')[0] ?? '');

describe('every button, form and choice that a view can draw', () => {
  it('every button, form and choice that a view can draw has an answer, and every answer is drawn (P8b)', () => {
    expect(unmatched('button', actionIds, named('action'))).toEqual([]);
    expect(unmatched('form', callbacks, named('form'))).toEqual([]);
    expect(unmatched('choice', verbs, [...CHOICES.keys()])).toEqual([]);
    expect([...CHOICES.keys()].sort()).toEqual(Object.keys(MENU).sort());
  });

  it.each([
    ['a button without an answer', () => unmatched('button', [...actionIds, 'x'], named('action'))],
    ['a button that no view draws', () => unmatched('button', actionIds, [...named('action'), 'x'])],
    ['a form without an answer', () => unmatched('form', [...callbacks, 'x'], named('form'))],
    ['a form that no view draws', () => unmatched('form', callbacks, [...named('form'), 'x'])],
    ['a choice without an answer', () => unmatched('choice', [...verbs, 'x'], [...CHOICES.keys()])],
    ['a choice that no view draws', () => unmatched('choice', verbs, [...CHOICES.keys(), 'x'])],
  ])('the comparison of buttons and answers fails with %s (P8b)', (_what, compared) => {
    expect(compared()).toHaveLength(1);
  });

  it('a button stands in the places that its row names, and in no other (P8b)', () => {
    const places = drawn.map(([, { action, on }]) => `${action} on a ${on === 'modal' ? 'view' : on}`);
    const rows = Object.entries(BUTTON_ROWS).flatMap(([id, { on }]) => on.map((place) => `${id} on a ${place}`));
    expect(unmatched('button', places, rows)).toEqual([]);
  });

  it('no button decides a call on the Home tab (P8b)', () => {
    const atHome = Object.entries(BUTTON_ROWS).filter(([, { on }]) => on.some((place) => place === 'home'));
    expect(atHome.filter(([, { does }]) => does === 'decides')).toEqual([]);
    expect(atHome.length).toBeGreaterThan(0);
  });

  it('no button stands in a form, where a press would lose what was typed (P8b)', () => {
    for (const { blocks } of forms) expect(ofType(blocks, 'actions')).toEqual([]);
  });

  it('each drawn button is listed once (P8b)', () => {
    const names = DELIVERIES.map(({ kind, name }) => `${kind} ${name}`);

    expect(new Set(names).size).toBe(names.length);
  });
});

const WEB = {
  key: new Uint8Array(32),
  publicUrl: 'https://bot.example.com',
  signOn: { header: 'x-forwarded-email', people: {} },
};

describe('a press through the signed door', () => {
  let api: SlackApi;
  beforeEach(() => {
    api = slackApi();
  });

  /** Which part of the bot the press reached with its value, and whether the bot knew that value. */
  async function press({ action, value, menu, on }: Pressable) {
    const { bot, wanted } = watched({ found: pending() });
    const door = await openDoor({ ...bot, web: WEB });
    const option = menu ? { option: value } : {};
    const given = on === 'message' ? cardPress({ action, value, ...option }) : viewPress({ action, value });
    const home = { ...given, view: { id: 'V0VIEW0001', type: 'home', private_metadata: '' } };
    const { status } = await door.press(on === 'home' ? home : given);
    await door.slack.stop();
    const carried = value.split(' ').find((word) => word.length > 20) ?? value;
    const said = [...api.responses, ...api.calls.map(({ args }) => args)].map(textOf).join('\n');
    return {
      status,
      reached: wanted.some((line) => line.includes(carried)),
      understood: !/is from an older version of me|could not read that press/.test(said),
    };
  }
  const done = { status: 200, reached: true, understood: true };

  it.each(drawn)('a press of %s reaches what it is about (P8b)', async (_what, one) => {
    expect(await press(one)).toEqual(done);
  });

  it.each<[string, Pressable]>([
    ['an unknown choice', { action: 'approval_more', value: `drop ${APPROVAL}`, menu: true, on: 'message' }],
    ['a value that is no id', { action: 'approval_approve', value: 'all of them', menu: false, on: 'message' }],
    ['a place where it does not stand', { action: 'approval_approve_all', value: APPROVAL, menu: false, on: 'modal' }],
  ])('the test of a press fails with %s (P8b)', async (_what, one) => {
    expect(await press(one)).not.toEqual(done);
  });
});
