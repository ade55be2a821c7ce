import type { RichTextBlock } from '@slack/types';
import { isJsonObject } from '../../../app/json.ts';
import type { Approval, ListCard } from '../../../app/records/index.ts';
import { approverName, channelLink, join, type Mrkdwn, mention, mrkdwn, prose, quotation } from '../kit/blocks.ts';
import { isTurned, TURNED_NOTE } from '../kit/direction.ts';
import { parsed } from '../kit/input-text.ts';
import { SHOWN } from '../kit/limits.ts';
import { mixedNote, mixedWords, otherDigits } from '../kit/mixed-scripts.ts';
import { cutMiddle, visible } from '../kit/text.ts';
import { count, listed } from '../words/wording.ts';
import { isCut, type Room, WHOLE } from './input.ts';

/** The parts of a call that both the card and the full view show. */

export type Pending = Extract<Approval, { readonly status: 'pending' }>;
export type SettledApproval = Exclude<Approval, Pending>;
export type Granted = Extract<Approval, { readonly status: 'approved' | 'trusted' }>;

/** Slack does not redraw a block whose id it has seen, so each painting has ids of its own. */
export function blockId({ id, revision }: Approval | ListCard, part: string): string {
  return `${part}:${id}:${revision}`;
}

/**
 * The id of a block with buttons that decide. It names the run as well, so that a press need not look it up: a press brings
 * the id along, and `readBlock` in `handlers/payloads/press.ts` reads it.
 */
export function choicesId(asked: Approval | ListCard): string {
  return `${blockId(asked, 'choices')}:${asked.run}`;
}

/** A card that does not show all of what will run has no Approve. `app/approvals/` asks this before it accepts one. */
export function showsWholeInput(approval: Approval): boolean {
  return isShownWhole(approval, WHOLE);
}

/** What people see of a call, and what that hides. */
type ShownCall = Pick<Approval, 'tool' | 'input' | 'hides' | 'undeclared'>;

/** Does a card with this room show all of the call? A view of the full input would then show nothing more. */
export function isShownWhole(call: ShownCall, room: Room): boolean {
  return !hidesUndeclared(call) && call.tool.length <= SHOWN.toolChars && !isCut(call.input, room);
}

/**
 * Ties card, full view and record together where the card alone cannot: where it cuts, hides or writes out a part of the call.
 * A call that stands there letter for letter needs none.
 */
export function digestNote(call: ShownCall & Pick<Approval, 'digest' | 'wants'>, room: Room): readonly string[] {
  const { tool, input, hides, digest, wants } = call;
  if (wants !== undefined) return [];
  const isShown = hides.length === 0 && tool.length <= SHOWN.toolChars && !isCut(input, room);
  // A large input is cut. Then it is not searched to its end for signs that are written out.
  const isVerbatim = isShown && [tool, input].every((text) => visible(text) === text);
  return isVerbatim ? [] : [digestLine(digest)];
}

/** The call as it was approved, with the change of a person if there is one, so that the card shows what ran. */
export function approvedCall<Shown extends Approval>(approval: Shown): Shown {
  const edit = 'decision' in approval ? approval.decision.edit : undefined;
  // An edit that hides nothing names nothing hidden.
  return edit === undefined ? approval : { ...approval, hides: [], ...edit };
}

/** The channel that the built-in tool posts to, which its input names by an id. */
export function postedTo({ tool, input }: Pick<Approval, 'tool' | 'input'>): string | undefined {
  if (tool !== 'post_to_channel') return undefined;
  const call = parsed(input);
  const channel = isJsonObject(call) && typeof call.channel === 'string' ? call.channel : '';
  return /^[CG][A-Z0-9]{2,}$/.test(channel) ? channel : undefined;
}

/** The sentence of the tool, parted in front of the channel that it ends with, of which Slack shows a link by its name. */
export function channelApart(call: Pick<Approval, 'tool' | 'input'>, sentence: string): readonly [string, string?] {
  const channel = postedTo(call);
  return channel !== undefined && sentence.endsWith(` ${channel}`)
    ? [sentence.slice(0, -channel.length), channel]
    : [sentence];
}

/** The same as a link with its name. */
export function channelNote(call: Pick<Approval, 'tool' | 'input'>): readonly Mrkdwn[] {
  const channel = postedTo(call);
  return channel === undefined ? [] : [mrkdwn`Channel: ${channelLink(channel)}`];
}

/** Names what is not shown, and what looks like something else. Equal marks stand for equal secrets. */
export function inputNotes(approval: Approval): readonly string[] {
  const { hides, tool, summary, input, preview = '', precondition, was = '' } = approval;
  const said = [summary, preview, precondition?.text ?? '', was];
  const mixed = mixedWords([tool, ...said].join('\n'), input);
  const digits = otherDigits([input, tool, ...said].join('\n'));
  return [
    ...(hides.length === 0 ? [] : [`Hidden: ${hides.join(', ')}.`]),
    ...(mixed === undefined ? [] : [mixedNote(mixed)]),
    ...(digits === undefined ? [] : [`Digits of another script: ${digits}.`]),
    ...([input, ...said].some(isTurned) ? [TURNED_NOTE] : []),
  ];
}

/** What a call would do, in the sentence of its tool. A question to a person has the agent's own words, so it is quoted. */
export function summaryBlocks(
  id: string,
  { summary, wants }: Pick<Approval, 'summary' | 'wants'>,
  chars: number,
): readonly RichTextBlock[] {
  const said = summary.trim();
  if (said === '') return [];
  return [wants === undefined ? prose(id, said, chars) : quotation(id, 'The agent asks', said, chars)];
}

/** The same in one short sentence. */
export function spoken({ summary, wants }: Pick<Approval, 'summary' | 'wants'>): string {
  const said = cutMiddle(summary.trim().replace(/\s+/g, ' '), SHOWN.spokenChars);
  return wants === undefined ? said : `The agent asks: “${said}”`;
}

/** The name is not made visible here: the builders do that, and doing it twice would escape the escapes. */
export function toolName(tool: string): string {
  return cutMiddle(tool, SHOWN.toolChars);
}

/** Does it hide something that the tool does not declare secret? A record of an older version does not say, so it counts. */
export function hidesUndeclared({ hides, undeclared }: Pick<Approval, 'hides' | 'undeclared'>): boolean {
  return hides.length > 0 && undeclared?.length !== 0;
}

/** For the approver: where the hidden value stands, why it is hidden, and how long it is. */
export function undeclaredNote({ undeclared = [] }: Pick<Approval, 'undeclared'>): readonly string[] {
  if (undeclared.length === 0) return [];
  const each = undeclared.map(({ name, by, chars }) => `${name} (${WHY_HIDDEN[by]}, ${count(chars, 'character')})`);
  return [`Hidden here, and not declared secret by the tool: ${each.join(', ')}.`];
}

const WHY_HIDDEN = { name: 'by its name', pattern: 'looks like a secret' } as const;

export function digestLine(digest: string): string {
  return `Digest ${digest.slice(0, 8)}`;
}

/** Whether and by what rule such a call asks: for the full view, as the card says only what is special about it. */
export function ruleLine({ secondFactor, effect, wants, ruledBy }: Approval): string {
  const asks =
    secondFactor === true
      ? 'Asks every time, and is decided outside of Slack'
      : effect === 'guarded'
        ? 'Asks every time; it cannot be trusted'
        : wants !== undefined
          ? 'Asks every time: only a person can answer it'
          : 'Asks each time, unless it is trusted';
  return ruledBy === undefined ? `Rule: ${asks}.` : `Rule: ${ruledBy.name}. ${asks}.`;
}

/** How many of the needed people have said yes, and who. Nothing where one person decides. */
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

/** For the forms and the pages on which a person says yes: this yes alone may not run the call. */
export function severalWords(approval: Approval): readonly Mrkdwn[] {
  return approval.progress === undefined ? [] : [join([decidingWords(approval), ...yesesSoFar(approval)], ' · ')];
}

/** The people besides the requester whose words the agent had read when it asked for the call. */
export function alsoWrote({ alsoSteeredBy }: Pick<Approval, 'alsoSteeredBy'>): readonly Mrkdwn[] {
  if (alsoSteeredBy.length === 0) return [];
  const named = alsoSteeredBy.slice(0, SHOWN.deciders).map(mention);
  const more = alsoSteeredBy.length - named.length;
  return [mrkdwn`Also wrote here: ${join([...named, ...(more > 0 ? [mrkdwn`${more} more`] : [])], ', ')}`];
}

type Deciding = Pick<Approval, 'rule' | 'requester' | 'progress' | 'alsoSteeredBy'>;

/** The people who can decide, as mentions, so that the card calls them. */
export function deciders(approval: Deciding): readonly Mrkdwn[] {
  const people = decidingNow(approval);
  const named = people.slice(0, SHOWN.deciders).map((approver) => approverName(approver, approval.requester));
  const rest = people.length - named.length;
  return rest > 0 ? [...named, mrkdwn`${rest} more`] : named;
}

function decidingNow(approval: Deciding): readonly string[] {
  const { rule, requester, progress } = approval;
  const approvers = progress?.approvers ?? rule.approvers;
  return approvers.length === 0 ? [requester] : approvers.filter((approver) => !isBarred(approval, approver));
}

/** Is the yes of each of them needed? A group or a channel stands for several people. */
function needsEach(approval: Deciding): boolean {
  const people = decidingNow(approval);
  const isPerson = (approver: string) => approver === 'requester' || /^[UW]/.test(approver);
  return (approval.progress?.needed ?? 1) === people.length && people.every(isPerson);
}

/** The people who can decide, in words: any of them alone, or all of them. */
export function listedDeciders(approval: Deciding): Mrkdwn {
  return listed(deciders(approval), needsEach(approval) ? 'and' : 'or');
}

/** Who decides: any of several people, as many of them as are needed, or all. */
export function decidingWords(approval: Deciding): Mrkdwn {
  const { needed = 1 } = approval.progress ?? {};
  if (needed === 1) return mrkdwn`${listedDeciders(approval)} can decide`;
  if (!needsEach(approval)) return mrkdwn`${needed} of ${listed(deciders(approval), 'and')} decide`;
  return mrkdwn`${listedDeciders(approval)} ${needed === 2 ? 'both' : 'all'} decide`;
}

/** Does a yes of this person not count? Only for what cards say: the right is judged at the press. */
export function isBarred({ rule, requester, alsoSteeredBy }: Deciding, person: string): boolean {
  return !rule.selfApproval && [requester, ...alsoSteeredBy].some((one) => one === person);
}
