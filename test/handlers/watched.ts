import type { DecideResult } from '../../app/approvals/approvals.ts';
import type { ListCard } from '../../app/records/index.ts';
import { type Parts, parts, type World } from './parts.ts';

/** The rest of the bot, and a line for each time that Slack's side wanted something of it. */
export interface Watched {
  readonly bot: Parts;
  readonly wanted: readonly string[];
}

export interface Watching extends Omit<World, 'decide'> {
  readonly decided?: DecideResult;
  readonly list?: ListCard;
}

export function watched({ decided, list, ...world }: Watching): Watched {
  const wanted: string[] = [];
  const bot = parts({ ...world, ...(decided === undefined ? {} : { decide: async () => decided }) });
  const approvals: Parts['approvals'] = {
    ...bot.approvals,
    findList: async () => list,
    decideAll: async () => (decided === undefined ? { type: 'unknown' } : { type: 'decided', results: [decided] }),
  };
  const listen = <Part extends object>(name: string, part: Part): Part =>
    new Proxy(part, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          wanted.push(`${name}.${String(key)} ${JSON.stringify(given)}`);
          return Reflect.apply(value, target, given);
        };
      },
    });
  return {
    wanted,
    bot: {
      ...bot,
      approvals: listen('approvals', approvals),
      questions: {
        inquiry: listen('inquiry', bot.questions.inquiry),
        doubt: listen('doubt', bot.questions.doubt),
      },
      giveFeedback: listen('feedback', { give: bot.giveFeedback }).give,
      trust: listen('trust', bot.trust),
      runs: listen('runs', bot.runs),
    },
  };
}
