import { checkView, elementsOf } from '../block-kit/check.ts';
import type { Interactive } from '../block-kit/elements.ts';
import { type ApiJson, type ApiObject, isObject } from '../json.ts';
import type { StateValues, View } from '../records.ts';
import type { State } from '../state.ts';
import { canPush, changeView, pushView, replaceView } from '../web-api/views.ts';
import { viewOnWire } from '../wire.ts';
import { type ActOutcome, type ActStage, interaction } from './act.ts';
import { type Chosen, fieldsFor, initialValue, keepsValue } from './values.ts';

export type FilledIn = { readonly [blockOrAction: string]: Chosen };

/** What a person sees after submitting a modal. */
export type Submitted = ActOutcome & {
  readonly result:
    | { readonly type: 'closed' }
    | { readonly type: 'cleared' }
    | { readonly type: 'updated'; readonly view: View }
    | { readonly type: 'pushed'; readonly view: View }
    | { readonly type: 'errors'; readonly errors: { readonly [blockId: string]: string } }
    /** Not answered in time, or with something that Slack does not take. */
    | { readonly type: 'failed'; readonly problem: string };
};

/** A person fills in a modal, by block id or action id, and submits it. */
export async function submit(stage: ActStage, user: string, given: View, filled: FilledIn): Promise<Submitted> {
  const open = openView(stage.state, user, given);
  const view = { ...open, values: withValues(open, filled), errors: {} };
  const wrong = wrongFields(view);
  const [first] = Object.values(wrong);
  if (first !== undefined) {
    changeView(stage.state, { ...view, errors: wrong });
    throw new NotSent(first);
  }
  changeView(stage.state, view);
  const delivery = stage.send('interactive', {
    type: 'view_submission',
    ...interaction(stage, user),
    view: viewOnWire(view, stage.state.team),
    response_urls: [],
  });
  const acknowledgement = await delivery.settled;
  if (acknowledgement.type === 'unanswered') {
    const problem = 'We had some trouble connecting. Try again?';
    changeView(stage.state, { ...view, errors: { '': problem } });
    return { delivery, acknowledgement, result: { type: 'failed', problem: acknowledgement.reason } };
  }
  return { delivery, acknowledgement, result: answer(stage.state, view, acknowledgement.body) };
}

/** A person closes a modal without submitting it. The app hears of it if it asked to. */
export async function close(stage: ActStage, user: string, given: View): Promise<ActOutcome | undefined> {
  const view = openView(stage.state, user, given);
  popTo(stage.state, view, view.content.clear_on_close === true);
  if (view.content.notify_on_close !== true) return undefined;
  const delivery = stage.send('interactive', {
    type: 'view_closed',
    ...interaction(stage, user),
    view: viewOnWire(view, stage.state.team),
    is_cleared: view.content.clear_on_close === true,
  });
  return { delivery, acknowledgement: await delivery.settled };
}

function openView(state: State, user: string, given: View): View {
  const view = state.modals.get(user)?.find(({ id }) => id === given.id);
  if (view === undefined) throw new Error(`${user} has no modal ${given.id} open any more. Open it again.`);
  return view;
}

function withValues(view: View, filled: FilledIn): StateValues {
  const left = new Set(Object.keys(filled));
  const values = view.content.blocks.flatMap((block) => {
    const { block_id: blockId = '' } = block;
    const entries = elementsOf(block)
      .filter(keepsValue)
      .flatMap((element): readonly (readonly [string, ApiObject])[] => {
        const { action_id: actionId = '' } = element;
        const key = actionId in filled ? actionId : blockId;
        left.delete(key);
        const chosen = filled[key];
        const old = view.values[blockId]?.[actionId];
        return [
          [
            actionId,
            chosen === undefined && old !== undefined
              ? old
              : { type: element.type, ...fieldsFor(element, chosen ?? initialValue(element)) },
          ],
        ];
      });
    return entries.length === 0 ? [] : [[blockId, Object.fromEntries(entries)] as const];
  });
  const [unknown] = left;
  if (unknown !== undefined) throw new Error(`The modal has no field ${unknown}.`);
  return Object.fromEntries(values);
}

/** Slack's client keeps the form and says at its fields what is wrong. The app hears nothing. */
export class NotSent extends Error {}

/** A required field is empty, or one is too long or too short: what is wrong, by block. */
function wrongFields(view: View): View['errors'] {
  const wrong = view.content.blocks.flatMap((block) => {
    if (block.type !== 'input' || block.element.type === 'image') return [];
    const value = view.values[block.block_id ?? '']?.[block.element.action_id ?? ''] ?? {};
    const label = block.label.text;
    const problem =
      block.optional !== true && isEmpty(value)
        ? `"${label}" must be filled in.`
        : wrongLength(block.element, value, label);
    return problem === undefined ? [] : [[block.block_id ?? '', problem] as const];
  });
  return Object.fromEntries(wrong);
}

function isEmpty(value: ApiObject): boolean {
  const { type: _, ...chosen } = value;
  return Object.values(chosen).every(
    (item) => item === null || item === undefined || item === '' || (Array.isArray(item) && item.length === 0),
  );
}

function wrongLength(element: Interactive, value: ApiObject, label: string): string | undefined {
  if (element.type !== 'plain_text_input' || typeof value.value !== 'string') return undefined;
  const most = element.max_length ?? 3000;
  const least = element.min_length ?? 0;
  if (value.value.length > most) return `"${label}" takes at most ${most} characters.`;
  return value.value.length < least ? `"${label}" needs at least ${least} characters.` : undefined;
}

function answer(state: State, view: View, body: ApiJson | undefined): Submitted['result'] {
  const action = isObject(body) ? body.response_action : undefined;
  if (!isObject(body) || action === undefined) {
    popTo(state, view, false);
    return { type: 'closed' };
  }
  state.answers.push(body);
  if (action === 'clear') {
    popTo(state, view, true);
    return { type: 'cleared' };
  }
  if (action === 'errors') return showErrors(state, view, body.errors);
  if (action !== 'update' && action !== 'push') return failed(state, view, `unknown response_action ${String(action)}`);
  const content = checkView(body.view ?? null, 'modal');
  if (content.type === 'refused') return failed(state, view, [content.error, ...content.problems].join(' '));
  if (action === 'update') return { type: 'updated', view: replaceView(state, view, content.value) };
  if (!canPush(state, view.user)) return failed(state, view, 'push_limit_reached');
  return { type: 'pushed', view: pushView(state, view.user, content.value) };
}

function showErrors(state: State, view: View, given: ApiJson | undefined): Submitted['result'] {
  const errors = isObject(given) ? Object.entries(given) : [];
  const shown = errors.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
  const inputs = view.content.blocks.filter(({ type }) => type === 'input').map((block) => block.block_id);
  const misplaced = shown.find(([blockId]) => !inputs.includes(blockId));
  if (shown.length === 0 || misplaced !== undefined) {
    return failed(state, view, `errors must name input blocks, not ${misplaced?.[0] ?? 'nothing'}`);
  }
  changeView(state, { ...view, errors: Object.fromEntries(shown) });
  return { type: 'errors', errors: Object.fromEntries(shown) };
}

function failed(state: State, view: View, problem: string): Submitted['result'] {
  changeView(state, { ...view, errors: { '': 'We had some trouble connecting. Try again?' } });
  return { type: 'failed', problem };
}

function popTo(state: State, view: View, all: boolean): void {
  const stack = state.modals.get(view.user) ?? [];
  state.modals.set(
    view.user,
    all
      ? []
      : stack.slice(
          0,
          stack.findIndex(({ id }) => id === view.id),
        ),
  );
  state.changed();
}
