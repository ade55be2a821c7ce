import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import {
  approverName,
  fields,
  footnote,
  hiddenNote,
  join,
  type Mrkdwn,
  mention,
  mrkdwn,
  mrkdwnText,
  plain,
  preformatted,
} from '../kit/blocks.ts';
import { parsed, shownInput } from '../kit/input-text.ts';
import { SHOWN } from '../kit/limits.ts';
import { cut, cutMiddle } from '../kit/text.ts';
import { count } from '../words/wording.ts';

/** The call itself, as card and full view both show it. */

export type Pending = Extract<Approval, { readonly status: 'pending' }>;
export type SettledApproval = Exclude<Approval, Pending>;
export type Granted = Extract<Approval, { readonly status: 'approved' | 'trusted' }>;

/** Slack keeps what it drew for a block id that it has seen, so each painting has its own. */
export function blockId(approval: Approval, part: string): string {
  return `${part}:${approval.id}:${approval.revision}`;
}

/** Which painting this block was in; `undefined` where it is not of a card. */
export function revisionOf(block: string): number | undefined {
  const [, revision] = /^[^:]+:[^:]+:(\d+)$/.exec(block) ?? [];
  return revision === undefined ? undefined : Number(revision);
}

/** A card that does not show all of what will run has no Approve; the core asks this before it accepts one. */
export function showsWholeInput(approval: Approval): boolean {
  const { tool, input } = approval;
  if (hidesUndeclared(approval)) return false;
  // Showing only ever makes it longer, so a long one need not be laid out to know.
  if (tool.length > SHOWN.toolChars || input.length > SHOWN.inputChars) return false;
  const shown = shownInput(input);
  return shown.type === 'pairs' || cut(shown.text, WHOLE).hidden === 0;
}

/** The call as it was approved: if a person changed it, the changed one, so that nothing shown is older than what ran. */
export function approvedCall<Shown extends Approval>(approval: Shown): Shown {
  const edit = 'decision' in approval ? approval.decision.edit : undefined;
  return edit === undefined ? approval : { ...approval, ...edit };
}

/** In words, what a person changed. */
export function changesText({ input }: Approval, edited: string): string {
  const [before, after] = [members(input), members(edited)];
  if (before === undefined || after === undefined) return 'Changed: the whole input.';
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  return `Changed: ${names.join(', ')}.`;
}

function members(json: string): ReadonlyMap<string, string> | undefined {
  // No field holds more, so nobody edits it; and it may be so deep that it cannot be written down again.
  if (json.length > SHOWN.editedChars) return undefined;
  const value = parsed(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]));
}

export const WHOLE = { chars: SHOWN.inputChars, lines: SHOWN.inputLines } as const;
export const REMINDER = { chars: SHOWN.decidedInputChars, lines: SHOWN.decidedInputLines } as const;

/** The input up to a limit, and in words how much of it is not here. */
export function inputBlocks(
  id: string,
  input: string,
  limit: { readonly chars: number; readonly lines: number },
): readonly KnownBlock[] {
  const shown = shownInput(input);
  if (shown.type === 'pairs') return [pairsBlock(id, shown.pairs)];
  const { text, hidden } = cut(shown.text, limit);
  if (hidden === 0) return [preformatted(id, text)];
  return [preformatted(id, text), footnote(`${id}:hidden`, [plain(hiddenNote(hidden), SHOWN.noteChars)])];
}

function pairsBlock(id: string, pairs: readonly { readonly name: string; readonly value: string }[]): KnownBlock {
  const rows = pairs.flatMap(({ name, value }) => [plain(name, SHOWN.noteChars), plain(value, SHOWN.noteChars)]);
  return { ...fields(id, rows), text: mrkdwnText(mrkdwn`*Input*`) };
}

/** What is not shown is named; equal marks are equal secrets. */
export function hidesNote({ hides }: Pick<Approval, 'hides'>): readonly string[] {
  return hides.length === 0 ? [] : [`Hidden: ${hides.join(', ')}.`];
}

/** Not made visible yet: that is the work of the builders, and doing it twice would escape the escapes. */
export function toolName(tool: string): string {
  return cutMiddle(tool, SHOWN.toolChars);
}

/** Hides something that the tool does not declare secret. A record of an older version does not say, so it counts. */
export function hidesUndeclared({ hides, undeclared }: Pick<Approval, 'hides' | 'undeclared'>): boolean {
  return hides.length > 0 && undeclared?.length !== 0;
}

/** For those who approve all the same: where it stands, why it is hidden, and how much of it. */
export function undeclaredNote({ undeclared = [] }: Pick<Approval, 'undeclared'>): readonly string[] {
  if (undeclared.length === 0) return [];
  const each = undeclared.map(({ name, by, chars }) => `${name} (${WHY_HIDDEN[by]}, ${count(chars, 'character')})`);
  return [`Hidden here, and not declared secret by the tool: ${each.join(', ')}.`];
}

const WHY_HIDDEN = { name: 'by its name', pattern: 'looks like a secret' } as const;

/** Ties a card, a full view and the record together, also where the card cannot show all of the input. */
export function digestLine(digest: string): string {
  return `Digest ${digest.slice(0, 8)}`;
}

/** How many of those who are needed have said yes, and who; nothing, where one decides. */
export function yesesSoFar({ progress }: Approval): readonly Mrkdwn[] {
  if (progress === undefined) return [];
  const { given, needed, stage, stages, yeses } = progress;
  const where = stages > 1 ? `, stage ${stage} of ${stages}` : '';
  const who =
    yeses.length === 0
      ? []
      : [
          mrkdwn`yes from ${join(
            yeses.map(({ by }) => mention(by)),
            ', ',
          )}`,
        ];
  const gone = (progress.dropped ?? []).map((by) => mrkdwn`the yes of ${mention(by)} does not count any more`);
  return [join([join([mrkdwn`${given} of ${needed}${where}`, ...who], ': '), ...gone], '; ')];
}

/** Those who can decide, as mentions: a card that they cannot see would wait for nobody. */
type Deciding = Pick<Approval, 'rule' | 'requester' | 'progress' | 'alsoSteeredBy'>;

export function deciders({ rule, requester, alsoSteeredBy, progress }: Deciding): readonly Mrkdwn[] {
  const approvers = progress?.approvers ?? rule.approvers;
  const people =
    approvers.length === 0 ? [requester] : approversOf({ ...rule, approvers }, [requester, ...alsoSteeredBy]);
  const named = people.slice(0, SHOWN.deciders).map((approver) => approverName(approver, requester));
  const rest = people.length - named.length;
  return rest > 0 ? [...named, mrkdwn`${rest} more`] : named;
}

function approversOf(rule: Approval['rule'], steeredBy: readonly string[]): readonly string[] {
  return rule.approvers.filter((approver) => rule.selfApproval || !steeredBy.includes(approver));
}
