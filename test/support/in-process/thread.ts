import {
  type Approval,
  type Card,
  type CardReceipt,
  type Doubt,
  type Inquiry,
  type ListCard,
  type Reminder,
  RunId,
  type Thread,
  type UnheardRun,
} from '../../../app/records/index.ts';
import type { Post, SessionStatus, Surface } from '../../../app/surface.ts';

/** What stands in one thread, kept as the records that were posted. It takes the place of Slack and of nothing else. */
export interface RecordedThread {
  readonly surface: Surface;
  /** Oldest first. */
  readonly posts: () => readonly Post[];
  readonly cards: () => readonly Approval[];
  readonly lists: () => readonly ListCard[];
  readonly doubts: () => readonly Doubt[];
  readonly inquiries: () => readonly Inquiry[];
  /** What people read along with now. */
  readonly growing: () => readonly string[];
  /** Whom it called by name, as `asker to person`, oldest first. */
  readonly called: () => readonly string[];
  /** The ended runs of which their requesters were told directly. */
  readonly unheard: () => readonly UnheardRun[];
  /** Each status that was shown, oldest first. */
  readonly statuses: () => readonly SessionStatus[];
  /** The names of all calls, oldest first. */
  readonly calls: () => readonly string[];
  /** From now on this call fails; without an error it succeeds again. `after`: Slack has done it, and the answer is lost. */
  readonly breaks: (call: Call, error?: Error, when?: 'before' | 'after') => void;
  /** From now on, Slack's rate leaves no room for paintings. */
  readonly holdsPaintings: () => void;
  /** A person deletes a message. */
  readonly loses: (card: CardReceipt) => void;
}

/** A call of the surface; those of cards say which kind of card, and those of reminders which reminder. */
type Call =
  | Exclude<keyof Surface, 'postCard' | 'findCard' | 'paintCard' | 'remind'>
  | `${'post' | 'find' | 'paint'} ${Card['kind']}`
  | `remind ${Reminder}`;

export function recordedThread({ channel }: Thread): RecordedThread {
  let written = 0;
  const receipt = (): CardReceipt => ({ channel, ts: `1700000001.${`${++written}`.padStart(6, '0')}` });
  let isHeld = false;
  const calls: string[] = [];
  const statuses: SessionStatus[] = [];
  const called: string[] = [];
  const told = new Map<string, UnheardRun>();
  const broken = new Map<Call, { readonly error: Error; readonly when: 'before' | 'after' }>();
  const at = async <Result>(call: Call, act: () => Result): Promise<Result> => {
    calls.push(call);
    const fault = broken.get(call);
    if (fault?.when === 'before') throw fault.error;
    const result = act();
    if (fault !== undefined) throw fault.error;
    return result;
  };

  const posts = new Map<string, Post>();
  const growing = new Map<string, string>();
  const cards = shelf(receipt);
  const remove = ({ ts }: CardReceipt): void => {
    for (const kind of [posts, growing, cards.standing]) kind.delete(ts);
  };
  const say = (post: Post): CardReceipt => {
    const before = post.maybePosted ? [...posts].find(([, { key }]) => key === post.key) : undefined;
    if (before !== undefined) return { channel, ts: before[0] };
    const place = post.into ?? receipt();
    growing.delete(place.ts);
    posts.set(place.ts, post);
    return place;
  };

  const surface: Surface = {
    say: (_thread, post) => at('say', () => say(post)),
    amend: (_thread, { ts }, post) =>
      at('amend', () => {
        if (!posts.has(ts)) return 'refused';
        posts.set(ts, post);
        return 'painted';
      }),
    beginReply: () =>
      at('beginReply', () => {
        const card = receipt();
        growing.set(card.ts, '');
        return card;
      }),
    growReply: ({ ts }, { text }) => at('growReply', () => void (growing.has(ts) && growing.set(ts, text))),
    dropReply: (_thread, card) =>
      at('dropReply', () => {
        const ts = card?.ts ?? [...growing].find(([, text]) => text === '')?.[0];
        if (ts !== undefined) growing.delete(ts);
      }),
    takeBack: (_thread, card) => at('takeBack', () => remove(card)),
    takeBackSecond: (_approval, card) => at('takeBackSecond', () => remove(card)),
    postCard: (card, { maybePosted }) => at(`post ${card.kind}`, () => cards.post(card, maybePosted)),
    findCard: (card) => at(`find ${card.kind}`, () => cards.find(card)),
    paintCard: (card, standsAt) =>
      isHeld ? new Promise(() => {}) : at(`paint ${card.kind}`, () => cards.paint(card, standsAt)),
    paintingHeld: () => (isHeld ? Promise.resolve() : new Promise(() => {})),
    remind: (_approval, what, people) =>
      at(`remind ${what}`, () => ({ copies: people.map((to) => ({ to, card: receipt() })), found: false })),
    findCopies: () => at('findCopies', () => []),
    tellUnheard: (unheard) => at('tellUnheard', () => void told.set(unheard.run, unheard)),
    paintCopy: () => at('paintCopy', () => {}),
    callByName: (_approval, { by, to }, { maybePosted }) =>
      at('callByName', () => {
        if (maybePosted && called.includes(`${by} to ${to}`)) return 'called-before' as const;
        called.push(`${by} to ${to}`);
        return 'called' as const;
      }),
    ownPosts: () =>
      at('ownPosts', () =>
        [...posts].map(([ts, { key }]) => {
          const [run, ...rest] = key.split('/');
          return { run: RunId.parse(run), key: rest.join('/'), atMs: Number(ts) * 1_000 };
        }),
      ),
    readFile: ({ name }) => at('readFile', () => ({ type: 'unreadable' as const, why: `is not here: ${name}` })),
    status: (_thread, status) => at('status', () => void statuses.push(status)),
    statusShown: () => at('statusShown', () => {}),
    workEnds: () =>
      at('workEnds', () => {
        statuses.push('active');
        return true;
      }),
  };

  return {
    surface,
    posts: () => [...posts.values()],
    cards: () => cards.all().flatMap((card) => (card.kind === 'approval' ? [card.asks] : [])),
    lists: () => cards.all().flatMap((card) => (card.kind === 'list' ? [card.asks] : [])),
    doubts: () => cards.all().flatMap((card) => (card.kind === 'doubt' ? [card.asks] : [])),
    inquiries: () => cards.all().flatMap((card) => (card.kind === 'inquiry' ? [card.asks] : [])),
    growing: () => [...growing.values()],
    called: () => [...called],
    unheard: () => [...told.values()],
    statuses: () => [...statuses],
    calls: () => [...calls],
    breaks: (call, error, when = 'before') => {
      if (error === undefined) broken.delete(call);
      else broken.set(call, { error, when });
    },
    holdsPaintings: () => {
      isHeld = true;
    },
    loses: remove,
  };
}

/** The cards of the thread, as each was painted last. */
function shelf(receipt: () => CardReceipt) {
  const standing = new Map<string, Card>();
  const find = ({ kind, asks }: Card): CardReceipt | undefined => {
    const ts = [...standing].find(([, one]) => one.kind === kind && one.asks.id === asks.id)?.[0];
    return ts === undefined ? undefined : { ...receipt(), ts };
  };
  return {
    standing,
    find,
    all: (): readonly Card[] => [...standing].map(([ts, one]) => withPlace(one, { ...receipt(), ts })),
    post: (one: Card, maybePosted: boolean): CardReceipt => {
      const before = maybePosted ? find(one) : undefined;
      const card = before ?? receipt();
      standing.set(card.ts, one);
      return card;
    },
    paint: (one: Card, { ts }: CardReceipt) => {
      if (!standing.has(ts)) return 'gone' as const;
      standing.set(ts, one);
      return 'painted' as const;
    },
  };
}

/** Where it stands is part of what it asks. */
function withPlace(one: Card, card: CardReceipt): Card {
  switch (one.kind) {
    case 'approval':
      return { ...one, asks: { ...one.asks, card } };
    case 'list':
      return { ...one, asks: { ...one.asks, card } };
    case 'doubt':
      return { ...one, asks: { ...one.asks, card } };
    case 'inquiry':
      return { ...one, asks: { ...one.asks, card } };
  }
}
