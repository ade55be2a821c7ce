import { z } from 'zod';
import { given } from '../../app/given.ts';
import { NotSent } from '../acts/modals.ts';
import type { Pressable } from '../acts/presses.ts';
import type { ApiJson, ApiObject } from '../json.ts';
import { asJson } from '../json.ts';
import type { SlackMessage } from '../records.ts';
import type { World } from '../world.ts';
import { VIEWERS } from './shown-page.ts';

/** What the browser may ask for. Each is an act of one person. */
const Chosen = z.union([z.string(), z.array(z.string())]);
const Base = { as: z.enum(VIEWERS) };
const Act = z.discriminatedUnion('type', [
  z.object({
    ...Base,
    type: z.literal('say'),
    channel: z.string(),
    thread: z.string().optional(),
    text: z.string(),
    files: z.array(z.object({ name: z.string(), base64: z.base64() })).optional(),
  }),
  z.object({
    ...Base,
    type: z.literal('press'),
    target: z.string(),
    actionId: z.string(),
    blockId: z.string().optional(),
    value: z.string().optional(),
    option: Chosen.optional(),
  }),
  z.object({ ...Base, type: z.literal('submit'), view: z.string(), values: z.record(z.string(), Chosen) }),
  z.object({ ...Base, type: z.literal('close'), view: z.string() }),
  z.object({ ...Base, type: z.literal('shortcut'), target: z.string(), callbackId: z.string() }),
  z.object({ ...Base, type: z.literal('edit'), target: z.string(), text: z.string() }),
  z.object({ ...Base, type: z.enum(['remove', 'lock', 'unlock']), target: z.string() }),
  z.object({ ...Base, type: z.enum(['archive', 'unarchive']), channel: z.string() }),
  z.object({ ...Base, type: z.literal('home') }),
  z.object({ ...Base, type: z.literal('stop'), channel: z.string(), thread: z.string() }),
  z.object({ ...Base, type: z.literal('dismiss'), ephemeral: z.string() }),
]);
type Act = z.infer<typeof Act>;

/** Does it, or says in words why it cannot be done. */
export async function doAct(world: World, body: ApiJson | undefined): Promise<ApiObject> {
  const act = Act.safeParse(body);
  if (!act.success) return { ok: false, problem: z.prettifyError(act.error) };
  try {
    return { ok: true, ...(await perform(world, act.data)) };
    // The world refuses what this person cannot do, and the page shows why. What is wrong in a form stands at its field already.
  } catch (error) {
    if (error instanceof NotSent) return { ok: true };
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function perform(world: World, act: Act): Promise<ApiObject> {
  const { as } = act;
  switch (act.type) {
    case 'say':
      return say(world, act);
    case 'press': {
      const { target, actionId, type: _, as: __, ...options } = act;
      // Slack takes a person who has left out of every channel. An open page still has the buttons.
      const forged = world.people.get(as)?.isDeactivated === true ? { forged: true } : {};
      await world.press(as, find(world, as, target), actionId, { ...withoutUndefined(options), ...forged });
      return {};
    }
    case 'submit': {
      const { result } = await world.submit(as, openView(world, as, act.view), act.values);
      return { result: asJson(result) };
    }
    case 'close':
      await world.close(as, openView(world, as, act.view));
      return {};
    case 'shortcut': {
      const target = find(world, as, act.target);
      if ('earlier' in target) await world.shortcut(as, target, act.callbackId);
      return {};
    }
    case 'edit':
      await world.edit(as, messageNamed(world, act.target), act.text);
      return {};
    case 'remove':
      await world.remove(messageNamed(world, act.target));
      return {};
    case 'lock':
    case 'unlock':
      await world.lock(messageNamed(world, act.target), act.type === 'lock');
      return {};
    case 'archive':
    case 'unarchive':
      await world.archive(as, act.channel, act.type === 'archive');
      return {};
    case 'home':
      await world.openHome(as, 'home');
      return {};
    case 'stop':
      await world.stop(as, { channel: act.channel, ts: act.thread });
      return {};
    case 'dismiss':
      world.dismiss(act.ephemeral);
      return {};
  }
}

/** A line that begins with a slash is a command; everything else is a message. */
async function say(world: World, act: Extract<Act, { type: 'say' }>): Promise<ApiObject> {
  const person = world.people.get(act.as);
  if (person?.isDeactivated === true)
    throw new Error(`Slack lets ${person.realName} write nothing more. Press a button as they could on an open page.`);
  const thread = act.thread === undefined ? {} : { thread: { channel: act.channel, ts: act.thread } };
  const command = /^(\/[\w-]+)(?:\s+([\s\S]*))?$/.exec(act.text.trim());
  if (command === null) {
    const files = act.files?.map(({ name, base64 }) => ({ name, content: Buffer.from(base64, 'base64') }));
    const options = { ...thread, ...given({ files }) };
    const message = await world.say(act.as, act.channel, act.text, options);
    return { ts: message.ts };
  }
  await world.command(act.as, act.channel, command[1] ?? '', command[2] ?? '', thread);
  return {};
}

function find(world: World, as: string, target: string): Pressable {
  const [kind, ...rest] = target.split(':');
  const found =
    kind === 'message'
      ? world.message({ channel: rest[0] ?? '', ts: rest[1] ?? '' })
      : kind === 'ephemeral'
        ? world.ephemerals(as).find(({ id }) => id === rest[0])
        : [...world.views(as), world.home(as)].find((view) => view?.id === rest[0]);
  if (found === undefined) throw new Error('This is gone. Reload the page.');
  return found;
}

function messageNamed(world: World, target: string): SlackMessage {
  const [, channel = '', ts = ''] = target.split(':');
  const message = world.message({ channel, ts });
  if (message === undefined) throw new Error('This message is gone. Reload the page.');
  return message;
}

function openView(world: World, as: string, id: string) {
  const view = world.views(as).find((open) => open.id === id);
  if (view === undefined) throw new Error('This dialog is closed already. Open it again.');
  return view;
}

function withoutUndefined(options: {
  readonly blockId?: string | undefined;
  readonly value?: string | undefined;
  readonly option?: string | readonly string[] | undefined;
}) {
  return {
    ...given({ blockId: options.blockId, value: options.value, option: options.option }),
  };
}
