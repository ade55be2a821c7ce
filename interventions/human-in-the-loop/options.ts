import type { OptionKind } from '../errors.ts';
import type { Json, ToolUseBlock } from '../messages.ts';
import type { OnError } from '../pipeline/handler.ts';
import type { Profile } from '../pipeline/profile.ts';
import type { Reactions } from '../pipeline/reaction.ts';
import type { AskExtras } from './ask-parts.ts';
import type { ClassifierOption } from './classifier.ts';
import type { DecisionRule } from './may-decide.ts';
import type { AllowedTool } from './tool-list.ts';
import type { TrustTerms } from './trust.ts';

export interface HumanInTheLoopOptions {
  /** Tools that run without asking. `*` is all of them. `!name` always asks about that tool, whatever else is listed. */
  readonly allowedTools?: readonly AllowedTool[];
  /**
   * Collects the answer while the run waits; `stdio` asks on the terminal. Absent: the run pauses and is resumed from
   * outside. Returning no value is a no. A throw ends the run, and the call does not run.
   */
  readonly ask?: 'stdio' | ((prompt: string, extras: AskExtras) => unknown);
  /** Default 15 minutes. `null`: the wait has no limit of its own. */
  readonly askTimeoutMs?: number | null;
  /** How long a paused question can be answered. Absent: as long as it is stored. */
  readonly expiresAfterMs?: number;
  readonly evaluate?: (response: Json) => boolean;
  /** Remembers an answer of trust. `true`: this tool, any input, this conversation and requester, for one hour. */
  readonly enableTrust?: boolean | TrustTerms;
  readonly evaluateTrust?: (response: Json) => boolean;
  /** Finds trust that is kept outside. Never consulted for `!name`. */
  readonly isTrusted?: (
    toolUse: ToolUseBlock,
    extras: { readonly digest: string; readonly signal: AbortSignal },
  ) => boolean | Promise<boolean>;
  readonly classifier?: ClassifierOption;
  /** Who may answer, for each tool. Absent: any answer counts. */
  readonly ruleFor?: (tool: string) => DecisionRule | undefined;
  readonly groupsOf?: (approver: string) => readonly string[];
  /** The answers that count. Any other leaves the question open. */
  readonly answers?: readonly Json[];
  /** What happens after a decision, without the model. Absent: the model is told, and the run goes on. */
  readonly reactions?: Reactions;
  /** What a person is shown in place of the input. */
  readonly redact?: (tool: string, input: unknown) => unknown;
  readonly previewCharacters?: number;
  /** After this many refusals by people, the tool is closed for the invocation. Default 3. */
  readonly refusalsPerTool?: number;
  /** Default: the profile of the loop. */
  readonly profile?: Profile;
  readonly onError?: Exclude<OnError, 'proceed'>;
  readonly warn?: (message: string) => void;
}

/** The compiler sees that each is here. */
export const HUMAN_IN_THE_LOOP_OPTIONS: Readonly<Record<keyof HumanInTheLoopOptions, OptionKind>> = {
  allowedTools: true,
  ask: true,
  askTimeoutMs: true,
  expiresAfterMs: true,
  evaluate: 'a function',
  enableTrust: true,
  evaluateTrust: 'a function',
  isTrusted: 'a function',
  classifier: true,
  ruleFor: 'a function',
  groupsOf: 'a function',
  answers: 'a list',
  reactions: 'an object',
  redact: 'a function',
  previewCharacters: true,
  refusalsPerTool: true,
  profile: ['strict', 'reference'],
  onError: true,
  warn: 'a function',
};
