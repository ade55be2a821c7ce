import { TrustEntryBody } from '../../app/journal/facts/trusts.ts';
import { hasEnded } from '../../app/journal/fold/queries/trusts.ts';
import { evolveTrust, type TrustState } from '../../app/journal/fold/trusts.ts';
import { readLine } from '../../app/journal/line/line.ts';
import { ApprovalId, type TrustId, type UserId } from '../../app/records/index.ts';
import type { Store } from '../../app/store/index.ts';
import { answerTrustWords } from '../../handlers/responding/index.ts';
import { THREAD_HELP } from '../../handlers/views/index.ts';
import { TEAM } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { readThread } from '../support/history.ts';
import { questionsOn } from './presses.ts';
import type { Replica } from './replica.ts';
import type { World } from './world.ts';

/** What changes around the bot in some nights: its workspace, its cards, and what people trust in words. */
export interface Changes {
  /** The workspace removes the app, or installs it again. */
  readonly installs: (isInstalled: boolean) => void;
  /** Slack tells a process that the app was removed, or that a card was deleted, until it is acknowledged. */
  readonly tells: () => void;
  readonly deletesCard: () => void;
  readonly speaksOfTrust: () => void;
  readonly isQuiet: () => boolean;
  /** How often each of these came to its end. */
  readonly counts: { left: number; shownAgain: number; trusted: number; overtaken: number; untrusted: number };
  readonly wasRemoved: () => boolean;
  /** Trusts that count although they have ended, one sentence each. */
  readonly unended: () => Promise<readonly string[]>;
}

interface Around {
  readonly pickPerson: () => UserId;
  readonly pickReplica: () => Replica | undefined;
  readonly pickRoot: () => SlackMessage;
  readonly inThread: () => readonly SlackMessage[];
}

/** Words of one person about one tool. `heardAt` and `beganAt` count what happened in this story. */
interface Trusted {
  readonly about: string;
  readonly place: string;
  heardAt: number;
  trust?: TrustId;
}

interface Untrusted {
  readonly about: string;
  readonly place: string;
  readonly beganAt: number;
  /** Until the words were answered, a trust may have ended by itself, and then they end none. */
  readonly doneMs: number;
  /** The trusts that were there when the words came, whoever gave them. */
  readonly there: readonly TrustId[];
}

const TOOLS = ['restart', 'save'] as const;

export function createChanges(world: World, { pickPerson, pickReplica, pickRoot, inThread }: Around): Changes {
  const { chance, schedule, slack, store } = world;
  const deleted = new Map<string, { readonly approval: ApprovalId; readonly card: SlackMessage }>();
  const trusted: Trusted[] = [];
  const untrusted: Untrusted[] = [];
  let removedFor: 'nobody' | 'told' | 'untold' = 'nobody';
  const before = new Set<TrustId>();
  let wasRemoved = false;
  let words = 0;
  let moments = 0;
  const counts = { left: 0, shownAgain: 0, trusted: 0, overtaken: 0, untrusted: 0 };

  const trusts = async ({ core, client }: Replica, about: string, place: Place, tool: string) => {
    words += 1;
    const one: Trusted = { about, place: place.threadTs, heardAt: Number.POSITIVE_INFINITY };
    const { takenBack } = core.trust;
    const scope = chance.pick(['thread', 'channel'] as const);
    const trust = {
      ...core.trust,
      takenBack: {
        ...takenBack,
        watch: async (said: Parameters<typeof takenBack.watch>[0]) => {
          const isTakenBack = await takenBack.watch(said);
          moments += 1;
          one.heardAt = Math.min(one.heardAt, moments);
          return isTakenBack;
        },
      },
      give: async (wish: Parameters<typeof core.trust.give>[0]) => {
        const given = await core.trust.give(wish);
        if (given.type === 'given') one.trust = given.trust.id;
        return given;
      },
    };
    const wish = { type: 'trust', tool, scope, forMs: 3_600_000 } as const;
    const said = { wish, place, help: THREAD_HELP, delivery: `words-${words}` };
    const { refused } = await answerTrustWords({ trust, client }, said);
    if (refused === undefined) trusted.push(one);
    if (refused === undefined) counts.trusted += 1;
    else if (refused.startsWith('You wrote untrust')) counts.overtaken += 1;
    // Slack may deliver the words again.
    if (chance.happens(0.3)) await answerTrustWords({ trust, client }, said);
  };

  const untrusts = async ({ core, client }: Replica, about: string, place: Place, tool: string) => {
    words += 1;
    moments += 1;
    const began = { about, place: place.threadTs, beganAt: moments };
    const there = (await readTrusts(store.facts).catch(() => [])).flatMap(({ trust }) =>
      trust.tool === tool && (trust.offer.scope === 'channel' || trust.thread.ts === place.threadTs) ? trust.id : [],
    );
    const wish = { type: 'untrust', tool, scope: undefined } as const;
    const said = { wish, place, help: THREAD_HELP, delivery: `words-${words}` };
    const { refused } = await answerTrustWords({ trust: core.trust, client }, said);
    if (refused === undefined) untrusted.push({ ...began, there, doneMs: Date.now() });
    counts.untrusted += 1;
    // Slack may deliver the words again.
    if (chance.happens(0.3)) await answerTrustWords({ trust: core.trust, client }, said);
  };

  return {
    counts,
    installs: (isInstalled) => {
      if (slack.isInstalled() === isInstalled) return;
      schedule.note(`the app is ${isInstalled ? 'installed' : 'removed'}`);
      slack.install(isInstalled);
      wasRemoved ||= !isInstalled;
      removedFor = isInstalled ? 'nobody' : 'untold';
      // Slack's notice of the removal is not acted on behind the next installation.
      if (isInstalled) void pickReplica()?.core.returned(TEAM);
    },
    tells: () => {
      const core = pickReplica()?.core;
      if (core === undefined) return;
      if (removedFor !== 'nobody' && (removedFor === 'untold' || chance.happens(0.1))) {
        const there = readTrusts(store.facts).catch(() => []);
        core.left(TEAM).then(
          async () => {
            for (const { trust } of await there) if (trust.untilMs > Date.now()) before.add(trust.id);
            counts.left += 1;
            if (removedFor === 'untold') removedFor = 'told';
          },
          () => {},
        );
      }
      const [ts, told] = chance.pick([...deleted]) ?? [];
      if (ts === undefined || told === undefined || !slack.isInstalled()) return;
      const { approval, card } = told;
      core.approvals.cardDeleted(approval, { channel: card.channel, ts }).then(
        () => {
          deleted.delete(ts);
          counts.shownAgain += 1;
        },
        () => {},
      );
    },
    deletesCard: () => {
      const card = chance.pick(inThread().filter((message) => questionsOn(message).length > 0));
      const id = ApprovalId.safeParse(card && questionsOn(card)[0]?.value).data;
      if (card === undefined || id === undefined || !slack.isInstalled()) return;
      schedule.note(`the card ${card.ts} is deleted`);
      slack.remove(card.ts);
      deleted.set(card.ts, { approval: id, card });
    },
    speaksOfTrust: () => {
      const [replica, user, tool] = [pickReplica(), pickPerson(), chance.pick(TOOLS) ?? 'save'];
      if (replica === undefined || !slack.isInstalled()) return;
      const { channel, ts } = pickRoot();
      const place = { team: TEAM, channel, threadTs: ts, user };
      const speak = chance.happens(0.5) ? trusts : untrusts;
      schedule.note(`${user} ${speak === trusts ? 'trusts' : 'untrusts'} ${tool} in ${ts}`);
      // The store may be away. The writer is told so.
      speak(replica, `${user} ${tool}`, place, tool).catch(() => {});
    },
    isQuiet: () => deleted.size === 0 && slack.isInstalled(),
    wasRemoved: () => wasRemoved,
    unended: async () => {
      const states = await readTrusts(store.facts).catch((error: unknown) => `${error}`);
      if (typeof states === 'string') return [`T11: the trusts cannot be read: ${states}`];
      const isOver = (id: TrustId | undefined, atMs: number) => {
        const trust = states.find((state) => state.trust.id === id)?.trust;
        return trust === undefined || trust.revoked !== undefined || hasEnded(trust, atMs);
      };
      return [
        ...trusted.flatMap((one) => {
          const end = untrusted.find(
            ({ about, place, beganAt }) => about === one.about && place === one.place && beganAt > one.heardAt,
          );
          return end === undefined || isOver(one.trust, end.doneMs)
            ? []
            : [`T11: ${one.trust} of ${one.about} counts behind its end`];
        }),
        ...untrusted.flatMap(({ about, there, doneMs }) =>
          there.flatMap((id) => (isOver(id, doneMs) ? [] : [`T11: ${id} counts, although ${about} ended it`])),
        ),
        ...states.flatMap(({ trust }) =>
          before.has(trust.id) && !hasEnded(trust, trust.givenAtMs)
            ? [`T11: ${trust.id} counts, although the app was removed after it was given`]
            : [],
        ),
        ...states.flatMap(({ trust }) =>
          trust.uses > (trust.offer.uses ?? Number.POSITIVE_INFINITY)
            ? [`T11: ${trust.id} has ${trust.uses} uses`]
            : [],
        ),
      ];
    },
  };
}

interface Place {
  readonly team: string;
  readonly channel: string;
  readonly threadTs: string;
  readonly user: UserId;
}

async function readTrusts(store: Pick<Store, 'journals' | 'read'>): Promise<readonly TrustState[]> {
  const pages = await Promise.all((await store.journals('grant')).map((name) => store.read(name)));
  return pages.flatMap(({ entries }) => {
    const state = entries.reduce<TrustState | undefined>(
      (before, { text }) => evolveTrust(before, readLine(TrustEntryBody, text).entry),
      undefined,
    );
    return state ?? [];
  });
}

/**
 * Whether a thread waits for the outcome of a lost call that no person may tell: the approvers on its card and those of today's
 * rules must both let them, and the deployment has named others. Such a question ends with its time alone.
 */
export async function waitsForNoPerson(
  { store, deployments }: World,
  roots: readonly SlackMessage[],
): Promise<boolean> {
  const threads = await Promise.all(roots.map((root) => readThread(store.facts, root)));
  return threads.some(({ runs }) => {
    const entries = runs.at(-1)?.entries ?? [];
    const settled = new Set(entries.flatMap((entry) => (entry.type === 'doubt-settled' ? entry.doubt : [])));
    return entries.some((entry) => {
      if (entry.type !== 'doubt-asked' || settled.has(entry.doubt)) return false;
      const today = deployments[0]?.tools.find(entry.tool)?.approvers ?? [];
      const named = entry.rule.approvers;
      return named.length > 0 && today.length > 0 && !named.some((approver) => today.includes(approver));
    });
  });
}
