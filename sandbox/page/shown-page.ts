import { ANN, BEN, DEACTIVATED, directChannel, GUEST, OPS, OUTSIDER, ZOE } from '../people.ts';

/** What the page shows, and to which person. The address holds all of it, so that a reload changes nothing. */
export interface ShownPage {
  readonly as: string;
  readonly channel: string;
  readonly thread?: string;
  readonly home: boolean;
  /** On a small screen the list of places covers the messages while a person chooses. */
  readonly places?: boolean;
}

/** The people to play: three members, a guest, a person of a partner company, and an employee who has left. */
export const VIEWERS = [ANN, BEN, ZOE, GUEST, OUTSIDER, DEACTIVATED];

export function shownPageOf(query: URLSearchParams): ShownPage {
  const asked = query.get('as') ?? '';
  const as = VIEWERS.includes(asked) ? asked : ANN;
  const given = query.get('channel') ?? OPS;
  // A person cannot see the direct conversation of another one, so the page shows their own.
  const channel = given.startsWith('D') ? directChannel(as) : given;
  const thread = query.get('thread');
  const places = query.get('places') === '1' ? { places: true } : {};
  return {
    as,
    channel,
    home: query.get('home') === '1',
    ...places,
    ...(thread === null || given !== channel ? {} : { thread }),
  };
}

export function hrefOf(look: ShownPage): string {
  const query = new URLSearchParams({ as: look.as });
  if (look.home) query.set('home', '1');
  else {
    query.set('channel', look.channel);
    if (look.thread !== undefined) query.set('thread', look.thread);
  }
  if (look.places === true) query.set('places', '1');
  return `/?${query}`;
}
