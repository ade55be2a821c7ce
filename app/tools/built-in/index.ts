import type { Tool } from '../tool.ts';
import { askPerson } from './ask-person.ts';
import { currentTime } from './current-time.ts';
import { fetchListedPage, fetchPage } from './fetch-page.ts';
import { postToChannel, uploadFile } from './posting-tools.ts';
import type { ThreadReach } from './reach.ts';
import { findPerson, readChannel, readThread } from './thread-tools.ts';

export interface BuiltInDeps {
  readonly now: () => number;
  /** Absent: the tools that read or write in Slack are left out. */
  readonly reach?: ThreadReach | undefined;
  readonly openHosts: readonly string[];
}

/** The tools that every deployment has. The line `because` of each says why its class is right. */
export function builtInTools(deps: BuiltInDeps): readonly Tool[] {
  const { reach, openHosts } = deps;
  return [
    askPerson(),
    currentTime(deps),
    fetchPage(),
    ...(openHosts.length === 0 ? [] : [fetchListedPage(openHosts)]),
    ...(reach === undefined
      ? []
      : [readThread(reach), readChannel(reach), findPerson(reach), uploadFile(reach), postToChannel(reach)]),
  ];
}

export type { FoundPerson, ReadOptions, SaidMessage, ThreadReach } from './reach.ts';
