import type { Admins, People } from '../../app/authority/index.ts';
import type { Log } from '../../app/log.ts';
import { orLog } from '../../app/or-log.ts';
import type { Thread } from '../../app/records/index.ts';
import { NotInstalledError, type Surface } from '../../app/surface.ts';
import type { ThreadReach } from '../../app/tools/index.ts';
import { createPeople, createTeams, type PeopleDeps, perWorkspace, type Workspaces } from '../workspaces/index.ts';
import { createReach } from './reach.ts';
import { createSurface, type SurfaceDeps } from './thread.ts';

/** Writes to a thread, reaches out of it and looks people up, each in the workspace that the thread belongs to. */

export function createSurfaces({
  workspaces,
  ...deps
}: Omit<SurfaceDeps, 'client'> & { readonly workspaces: Workspaces }): Surface {
  const { log } = deps;
  const made = perWorkspace(({ client }) => createSurface({ client, ...deps }));
  const of = finder(workspaces, made);
  // The app may not be installed there any more. The status only helps the eye.
  const forStatus = ({ team, channel }: Thread) =>
    orLog(log.debug, 'The status of a thread could not be shown', { channel }, () => of(team));
  return {
    say: async (thread, post) => (await of(thread.team)).say(thread, post),
    amend: async (thread, card, post) => (await of(thread.team)).amend(thread, card, post),
    beginReply: async (thread, reader) => (await of(thread.team)).beginReply(thread, reader),
    growReply: async (card, reply, thread) => (await of(thread.team)).growReply(card, reply, thread),
    dropReply: async (thread, card) => (await of(thread.team)).dropReply(thread, card),
    ownPosts: async (thread) => (await of(thread.team)).ownPosts(thread),
    readFile: async (file, most, thread) => (await of(thread.team)).readFile(file, most, thread),
    takeBack: async (thread, card) => (await of(thread.team)).takeBack(thread, card),
    takeBackSecond: async (approval, pressed) => (await of(approval.thread.team)).takeBackSecond(approval, pressed),
    postCard: async (card, doubt) => (await of(card.asks.thread.team)).postCard(card, doubt),
    findCard: async (card) => (await of(card.asks.thread.team)).findCard(card),
    paintCard: async (card, standsAt) => (await of(card.asks.thread.team)).paintCard(card, standsAt),
    paintingHeld: async ({ team }, { channel, ts }, signal) => {
      const workspace = await workspaces.of(team);
      await workspace?.client.sender.held({ method: 'chat.update', args: { channel, ts } }, signal);
    },
    callByName: async (approval, referral, doubt) =>
      (await of(approval.thread.team)).callByName(approval, referral, doubt),
    remind: async (approval, what, people) => (await of(approval.thread.team)).remind(approval, what, people),
    findCopies: async (approval, what, people) => (await of(approval.thread.team)).findCopies(approval, what, people),
    paintCopy: async (approval, copy) => (await of(approval.thread.team)).paintCopy(approval, copy),
    tellUnheard: async (unheard) => (await of(unheard.thread.team)).tellUnheard(unheard),
    status: async (thread, status, session) => {
      await (await forStatus(thread))?.status(thread, status, session);
    },
    statusShown: async (thread) => {
      await (await forStatus(thread))?.statusShown(thread);
    },
    workEnds: async (thread) => {
      try {
        return await (await of(thread.team)).workEnds(thread);
        // Where the app is not installed any more, no status is left to end.
      } catch (error) {
        if (error instanceof NotInstalledError) return true;
        throw error;
      }
    },
  };
}

export function createReaches(workspaces: Pick<Workspaces, 'of'>, log: Log): ThreadReach {
  const of = finder(
    workspaces,
    perWorkspace((workspace) => createReach(workspace.client, createTeams(workspace), log)),
  );
  return {
    readThread: async (thread, options) => (await of(thread.team)).readThread(thread, options),
    readChannel: async (thread, options) => (await of(thread.team)).readChannel(thread, options),
    findPerson: async (thread, query, options) => (await of(thread.team)).findPerson(thread, query, options),
    post: async (post) => (await of(post.thread.team)).post(post),
    upload: async (upload) => (await of(upload.thread.team)).upload(upload),
  };
}

/** Looks people up in all workspaces. Where the app is not installed, every person is unknown and has no say. */
export function createAllPeople({
  workspaces,
  ...deps
}: Omit<PeopleDeps, 'client' | 'teams'> & { readonly workspaces: Workspaces }): People & Admins {
  const of = finder(
    workspaces,
    perWorkspace((workspace) => createPeople({ ...deps, ...workspace, teams: createTeams({ ...deps, ...workspace }) })),
  );
  const ask = <Value>(team: string, no: Value, look: (people: People & Admins) => Promise<Value>): Promise<Value> =>
    of(team)
      .then(look)
      // The app may not be installed there. An unknown person has no say.
      .catch((error: unknown) => {
        deps.log.warn('A person could not be looked up, and so has no say.', { error });
        return no;
      });
  return {
    account: (who, how) => ask(who.team, 'unknown', (people) => people.account(who, how)),
    isAdmin: (who) => ask(who.team, false, (people) => people.isAdmin(who)),
    isInGroup: (who, group) => ask(who.team, false, (people) => people.isInGroup(who, group)),
    isInChannel: (who, channel) => ask(who.team, false, (people) => people.isInChannel(who, channel)),
    members: (where, ...place) => ask(where.team, undefined, (people) => people.members(where, ...place)),
  };
}

function finder<Made>(
  workspaces: Pick<Workspaces, 'of'>,
  made: (workspace: Parameters<Parameters<typeof perWorkspace>[0]>[0]) => Made,
): (team: string) => Promise<Made> {
  return async (team) => {
    const workspace = await workspaces.of(team);
    if (workspace === undefined) throw new NotInstalledError(team);
    return made(workspace);
  };
}
