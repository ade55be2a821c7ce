import { count } from '../../log.ts';
import type { QuestionEntry } from '../../records/index.ts';
import type { Entry } from './entries.ts';
import { isEntryThat, isOfQuestion, questionIn } from './questions.ts';
import type { TrustEntryBody } from './trusts.ts';
import type { WorkspaceBody } from './workspace.ts';

/** What an entry says, in a sentence for people. It has no input and no words of a person, which may be confidential. */
export function sentenceOf(entry: Entry, tool = 'the call'): string {
  return isOfQuestion(entry) ? sayQuestion(entry, tool) : say(WORDS, entry, tool);
}

export function sentenceOfTrust(entry: TrustEntryBody): string {
  return say(TRUST_WORDS, entry, '');
}

export function sentenceOfWorkspace(entry: WorkspaceBody): string {
  return say(WORKSPACE_WORDS, entry, '');
}

type Words<Body extends { readonly type: string }> = {
  readonly [Type in Body['type']]: string | ((entry: Extract<Body, { readonly type: Type }>, tool: string) => string);
};

function say<Body extends { readonly type: string }>(words: Words<Body>, entry: Body, tool: string): string {
  // The compiler does not see that the row of a type takes the entry of that type.
  const row = words[entry.type as Body['type']] as string | ((entry: Body, tool: string) => string);
  return typeof row === 'string' ? row : row(entry, tool);
}

/** Where a person acted, the sentence leaves out the person, whom `who` names. */
const WORDS: Words<Exclude<Entry, QuestionEntry>> = {
  'run-started': 'Asked the bot.',
  'person-said': 'Wrote a message, which the agent gets.',
  guided: 'An intervention advised the agent.',
  'turn-answered': ({ calls }) =>
    calls.length === 0 ? 'The agent answered.' : `The agent answered, and wants ${count(calls.length, 'call')}.`,
  'post-begun': 'The bot is about to post.',
  posted: 'Slack has the post.',
  'reply-begun': ({ card }) =>
    card === undefined ? 'The bot is about to write a reply.' : 'The bot writes its reply.',
  'reply-dropped': 'The bot removed an unfinished reply.',
  'call-asked': (_, tool) => `People are asked about ${tool}.`,
  'call-judged': ({ shadow, would, rule }, tool) =>
    shadow ? `The rule ${rule}, on trial, would ${would} ${tool}.` : `The rule ${rule} denied ${tool}.`,
  'card-posted': (_, tool) => `The card about ${tool} is in the thread.`,
  'card-painted': (_, tool) => `The card about ${tool} was drawn anew.`,
  'press-refused': ({ verdict, why }) => `Pressed “${verdict}”, which counts for nothing: ${ended(why)}`,
  'yes-counted': ({ onWeb }, tool) => `Said yes to ${tool}${where(onWeb)}, which needs more people.`,
  'yes-dropped': (_, tool) => `The yes of this person to ${tool} counts no more.`,
  'call-decided': ({ verdict, edit, onWeb }, tool) =>
    `${DECIDED[edit === undefined ? verdict : 'edit']} ${tool}${where(onWeb)}.`,
  'call-referred': (_, tool) => `Asked another person to decide about ${tool}.`,
  'call-expired': (_, tool) => `No answer came in time, so ${tool} does not run.`,
  'trust-ended': 'Ended the trust.',
  'asked-again': (_, tool) => `Asked for ${tool} again.`,
  'call-cancelled': ({ again }, tool) =>
    again === true ? `The question about ${tool} is asked anew.` : `The question about ${tool} was withdrawn.`,
  'rules-changed': (_, tool) => `The rules changed, so the yes to ${tool} is void.`,
  'precondition-changed': (_, tool) => `The facts behind the yes to ${tool} changed, so it is void.`,
  'call-started': ({ grant, repeats }, tool) =>
    `${tool} starts${repeats === true ? ' again' : ''}, ${STARTED[grant.type]}.`,
  'call-finished': ({ ok, ms }, tool) => `${tool} ${ok ? 'is done' : 'failed'} after ${(ms / 1000).toFixed(1)} s.`,
  'call-unknown': (_, tool) => `Whether ${tool} finished is unknown, and it is not started again.`,
  'call-answered': (_, tool) => `The agent gets another text in place of the result of ${tool}.`,
  'calls-listed': ({ approvals }) => `One card lists ${count(approvals.length, 'call')}.`,
  'card-lost': 'The card was deleted, and is posted again.',
  'feedback-given': ({ opinion }) => `Found the answer ${opinion}.`,
  'line-shown': ({ calls }) => `The thread was told of ${count(calls, 'call')} on a trust.`,
  'trust-over': ({ by }) => (by === undefined ? 'A trust ran out.' : 'Ended a trust.'),
  'call-reminded': (_, tool) => `People were told that ${tool} waits for them.`,
  'copies-found': (_, tool) => `Direct messages about ${tool} were found.`,
  'copies-painted': (_, tool) => `The direct messages about ${tool} were drawn anew.`,
  'run-finished': 'The run is finished.',
  'run-stopped': ({ by }) => (by === undefined ? 'The run was stopped.' : 'Stopped the run.'),
  unheard: 'Slack takes nothing more for this thread.',
  sealed: 'The end of the run is in the journal of the workspace.',
};

const DECIDED = {
  approve: 'Approved',
  deny: 'Denied',
  trust: 'Approved, and trusts for a while,',
  answer: 'Answered in place of',
  edit: 'Changed the input of, and approved,',
} as const;

const where = (onWeb: true | undefined): string => (onWeb === undefined ? '' : ' on the web page');

const STARTED = { open: 'which needs no yes', approval: 'with a stored yes', trust: 'on a trust' } as const;

/** What a question is about, for people. A kind that is added is named as it is in the journal. */
const ASKED: Readonly<Record<string, string>> = { doubt: 'did this happen?', inquiry: 'from a tool server' };

function sayQuestion(entry: QuestionEntry, tool: string): string {
  const kind = ASKED[questionIn(entry).kind] ?? questionIn(entry).kind;
  const about = 'tool' in entry ? entry.tool : tool;
  if (isEntryThat(entry, 'asked')) return `A question (${kind}) about ${about} is asked.`;
  if (isEntryThat(entry, 'posted')) return `The card of the question (${kind}) is in the thread.`;
  if (isEntryThat(entry, 'painted')) return `The card of the question (${kind}) was drawn anew.`;
  if (isEntryThat(entry, 'settled')) return `The question (${kind}) ended: ${entry.how}.`;
  return `Answered the question (${kind}), which counts for nothing: ${ended(entry.why)}`;
}

const TRUST_WORDS: Words<TrustEntryBody> = {
  'grant-given': ({ tool }) => `Trusts later calls of ${tool}.`,
  'grant-used': 'A call runs on this trust.',
  'grant-revoked': 'Ended this trust.',
};

const WORKSPACE_WORDS: Words<WorkspaceBody> = {
  'run-begun': 'A run began.',
  'run-sealed': ({ version }) => `A run ended with ${count(version, 'entry', 'entries')}.`,
  'trust-ended': ({ version }) => `A trust ended with ${count(version, 'entry', 'entries')}.`,
  configured: ({ tools }) => `The bot runs a configuration with ${count(tools.length, 'tool')}.`,
  installed: 'The app was installed.',
  uninstalled: 'The app was removed.',
  'tool-pinned': ({ how, name }) => `The definition of ${name} was ${how}.`,
  'run-retired': ({ archive }) =>
    archive === undefined ? 'A run is past its time, and is removed.' : 'A run is past its time, archived and removed.',
};

const ended = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
