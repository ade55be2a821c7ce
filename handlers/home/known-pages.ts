import { keepNewest } from '../../app/time/index.ts';
import type { MessageView } from '../views/index.ts';

/** What this process knows of a page. */
export interface KnownPage {
  /** When it published the page last. */
  readonly atMs: number;
  /** `false`: another process may have published meanwhile, so nothing is known. */
  readonly isSure: boolean;
  /** How often in a row it could not be read. */
  readonly failures: number;
  /** The answer to the last press, until this time. */
  readonly answer: MessageView | undefined;
  readonly untilMs: number;
}

/** What this process knows of the pages that it drew last. */
export interface KnownPages {
  readonly of: (page: string) => KnownPage;
  readonly remember: (page: string, news: Partial<KnownPage>) => void;
}

const NEW_PAGE: KnownPage = {
  atMs: Number.NEGATIVE_INFINITY,
  isSure: true,
  failures: 0,
  answer: undefined,
  untilMs: 0,
};

export function createKnownPages(most: number): KnownPages {
  const known = new Map<string, KnownPage>();
  const of = (name: string): KnownPage => {
    const page = known.get(name) ?? NEW_PAGE;
    return performance.now() < page.untilMs ? page : { ...page, answer: undefined };
  };
  return {
    of,
    remember: (name, news) => {
      keepNewest(known, name, { ...of(name), ...news }, most);
    },
  };
}
