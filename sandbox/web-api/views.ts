import { checkView, randomId, type ViewContent } from '../block-kit/check.ts';
import type { View } from '../records.ts';
import type { State, Trigger } from '../state.ts';
import { viewOnWire } from '../wire.ts';
import { type Call, json, type Method, needText, PlatformError, text } from './call.ts';

/** Modals and the Home tab. */

const STACK_MOST = 3;

/** Opens a modal. One that is already open stays below it. */
export const open: Method = (call) => {
  const content = contentOf(call, 'modal');
  const trigger = takeTrigger(call);
  return { view: viewOnWire(pushed(call, trigger.user, content), call.state.team) };
};

export const push: Method = (call) => {
  const content = contentOf(call, 'modal');
  const trigger = takeTrigger(call);
  if ((call.state.modals.get(trigger.user) ?? []).length === 0) throw new PlatformError('not_found');
  return { view: viewOnWire(pushed(call, trigger.user, content), call.state.team) };
};

export const update: Method = (call) => {
  const content = contentOf(call, 'modal');
  const old = named(call);
  checkHash(call, old);
  checkName(call.state, content, old);
  return { view: viewOnWire(replaceView(call.state, old, content), call.state.team) };
};

export const publish: Method = (call) => {
  const content = contentOf(call, 'home');
  const user = needText(call, 'user_id');
  if (!call.state.people.has(user)) throw new PlatformError('user_not_found');
  const old = call.state.homes.get(user);
  if (old !== undefined) checkHash(call, old);
  const view = old === undefined ? newView(call.state, user, content) : { ...old, content, hash: newHash(call.state) };
  call.state.homes.set(user, view);
  call.state.changed();
  return { view: viewOnWire(view, call.state.team) };
};

function pushed(call: Call, user: string, content: ViewContent): View {
  checkName(call.state, content);
  if (!canPush(call.state, user)) throw new PlatformError('push_limit_reached');
  return pushView(call.state, user, content);
}

export function canPush(state: State, user: string): boolean {
  return (state.modals.get(user) ?? []).length < STACK_MOST;
}

/** Puts a view on top of what the person has open. Also used by `response_action: push`. */
export function pushView(state: State, user: string, content: ViewContent): View {
  const stack = state.modals.get(user) ?? [];
  const below = stack.at(-1);
  const fresh = newView(state, user, content);
  const view: View = below === undefined ? fresh : { ...fresh, rootId: below.rootId, previousId: below.id };
  state.modals.set(user, [...stack, view]);
  state.changed();
  return view;
}

export function replaceView(state: State, old: View, content: ViewContent): View {
  const kept = new Set(content.blocks.map((block) => block.block_id));
  const values = Object.fromEntries(Object.entries(old.values).filter(([blockId]) => kept.has(blockId)));
  const view: View = { ...old, content, values, errors: {}, hash: newHash(state) };
  changeView(state, view);
  return view;
}

export function changeView(state: State, view: View): void {
  const stack = state.modals.get(view.user) ?? [];
  state.modals.set(
    view.user,
    stack.map((open) => (open.id === view.id ? view : open)),
  );
  state.changed();
}

function newView(state: State, user: string, content: ViewContent): View {
  const id = state.nextId('V');
  return { id, user, hash: newHash(state), rootId: id, content, values: {}, errors: {} };
}

function newHash(state: State): string {
  return `${Math.floor(state.now() / 1000)}.${randomId()}${randomId()}`;
}

function contentOf(call: Call, type: 'modal' | 'home'): ViewContent {
  const checked = checkView(json(call, 'view') ?? null, type);
  if (checked.type === 'refused') throw new PlatformError(checked.error, checked.problems);
  return checked.value;
}

/** A trigger lives three seconds and works once. */
function takeTrigger(call: Call): Trigger {
  const id = needText(call, 'trigger_id');
  const trigger = call.state.triggers.get(id);
  if (trigger === undefined) throw new PlatformError('invalid_trigger_id');
  if (trigger.used) throw new PlatformError('exchanged_trigger_id');
  if (call.state.now() > trigger.expiresAtMs) throw new PlatformError('expired_trigger_id');
  call.state.triggers.set(id, { ...trigger, used: true });
  return trigger;
}

function named(call: Call): View {
  const id = text(call, 'view_id');
  const external = text(call, 'external_id');
  const view = [...call.state.modals.values()]
    .flat()
    .find((open) => (id === undefined ? open.content.external_id === external : open.id === id));
  if (view === undefined || (id === undefined && external === undefined)) throw new PlatformError('not_found');
  return view;
}

/** No two views that are open have the same `external_id`. */
function checkName({ modals }: State, { external_id: name }: ViewContent, itself?: View): void {
  const others = [...modals.values()].flat().filter(({ id }) => id !== itself?.id);
  if (name !== undefined && others.some(({ content }) => content.external_id === name)) {
    throw new PlatformError('duplicate_external_id');
  }
}

function checkHash(call: Call, view: View): void {
  const hash = text(call, 'hash');
  if (hash !== undefined && hash !== '' && hash !== view.hash) throw new PlatformError('hash_conflict');
}
