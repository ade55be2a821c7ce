import type { AppState } from '../app-state.ts';
import { canonical } from '../canonical.ts';
import { ConfigurationError, checkOptions, type OptionKind } from '../errors.ts';
import type { BeforeToolCallEvent } from '../hooks/events.ts';
import type { Json } from '../messages.ts';

/** Trust that a person gave. Data only. It holds what it covers. */
export interface TrustEntry {
  readonly id: string;
  readonly tool: string;
  /** The one input it covers, as canonical text. `null`: any input. */
  readonly input: string | null;
  readonly scope: 'conversation' | 'channel' | 'user';
  /** The conversation, channel or user of the scope. */
  readonly place: string;
  /** Whose calls it covers. */
  readonly requester: string | null;
  readonly givenBy: string | null;
  readonly expiresAtMs: number | null;
  readonly usesLeft: number | null;
  readonly policyVersion: string;
}

export interface TrustTerms {
  /** `session` trusts a tool by its name for as long as the agent's state lives. Default: this conversation. */
  readonly scope?: 'invocation' | 'conversation' | 'channel' | 'user' | 'session';
  /** Default one hour. `null`: no end. */
  readonly forMs?: number | null;
  readonly maxUses?: number;
  /** Default any input. */
  readonly input?: 'any' | 'exact';
  /** Entries given under another policy do not count. */
  readonly policyVersion?: string;
}

const TERMS: Readonly<Record<keyof TrustTerms, OptionKind>> = {
  scope: true,
  forMs: true,
  maxUses: true,
  input: ['any', 'exact'],
  policyVersion: true,
};

const ONE_HOUR_MS = 60 * 60 * 1000;
const ENTRIES = 'hitl:trust';
const TOOLS = 'hitl:trustedTools';

/** The terms that a scope cannot keep. The entries of all other scopes keep all. */
const NOT_KEPT: Readonly<Record<Required<TrustTerms>['scope'], readonly Exclude<keyof TrustTerms, 'scope'>[]>> = {
  invocation: ['forMs', 'maxUses'],
  session: ['forMs', 'maxUses', 'input', 'policyVersion'],
  conversation: [],
  channel: [],
  user: [],
};

/** Refuses terms that would be passed over, because trust would then cover more than was meant. */
function checkTerms(terms: TrustTerms): void {
  checkOptions('enableTrust', terms, TERMS);
  const { scope = 'conversation', forMs = null, maxUses, input } = terms;
  if (!Object.hasOwn(NOT_KEPT, scope)) {
    const scopes = Object.keys(NOT_KEPT).join(', ');
    throw new ConfigurationError(`enableTrust has the scope ${String(scope)}, and the scopes are: ${scopes}. Use one.`);
  }
  const meant = {
    forMs: forMs !== null,
    maxUses: maxUses !== undefined,
    input: input === 'exact',
    policyVersion: terms.policyVersion !== undefined,
  };
  const lost = NOT_KEPT[scope].filter((term) => meant[term]);
  if (lost.length > 0) {
    throw new ConfigurationError(
      `Trust with the scope ${scope} cannot keep ${lost.join(', ')}. Leave it out, or use the scope conversation.`,
    );
  }
  for (const [term, number] of Object.entries({ forMs, maxUses })) {
    if (number === null || number === undefined || Number.isFinite(number)) continue;
    throw new ConfigurationError(`enableTrust has ${term}: ${number}. Give a finite number, or leave it out.`);
  }
}

export interface TrustBook {
  /** Whether trust covers this call. Counts the use. */
  readonly covers: (event: BeforeToolCallEvent) => boolean;
  readonly remember: (event: BeforeToolCallEvent, approver?: string) => void;
}

export function createTrustBook(terms: TrustTerms): TrustBook {
  checkTerms(terms);
  /** Trust for one invocation, by its signal. A program may use one invocation state for many invocations and agents. */
  const byInvocation = new WeakMap<AbortSignal, Set<string>>();
  const { scope = 'conversation', policyVersion = '' } = terms;
  return {
    covers: (event) => {
      const { name } = event.effective();
      if (scope === 'invocation') return byInvocation.get(event.signal)?.has(covered(event, terms)) === true;
      if (scope === 'session') return trustedTools(event.agent.appState).includes(name);
      return spend(event, policyVersion);
    },
    remember: (event, approver) => {
      const { appState } = event.agent;
      const { name } = event.effective();
      if (scope === 'invocation') {
        const trusted = byInvocation.get(event.signal) ?? new Set();
        byInvocation.set(event.signal, trusted.add(covered(event, terms)));
      } else if (scope === 'session') {
        appState.set(TOOLS, [...new Set([...trustedTools(appState), name])]);
      } else {
        write(appState, [...listTrust(appState), newEntry(event, { ...terms, scope, policyVersion }, approver)]);
      }
    },
  };
}

export function listTrust(appState: AppState): readonly TrustEntry[] {
  const stored = appState.get(ENTRIES);
  // Only this file writes the list. A list of anything else is no trust.
  return Array.isArray(stored) ? (stored as readonly unknown[]).filter(isEntry) : [];
}

export function revokeTrust(appState: AppState, id: string): void {
  write(
    appState,
    listTrust(appState).filter((entry) => entry.id !== id),
  );
}

export function revokeAllTrust(appState: AppState): void {
  appState.delete(ENTRIES);
  appState.delete(TOOLS);
}

function spend(event: BeforeToolCallEvent, policyVersion: string): boolean {
  const { appState } = event.agent;
  const kept = listTrust(appState).filter((entry) => entry.policyVersion === policyVersion && !isOver(entry, event));
  const found = kept.find((entry) => matches(entry, event));
  if (found === undefined) return false;
  const used = { ...found, usesLeft: found.usesLeft === null ? null : found.usesLeft - 1 };
  write(
    appState,
    kept.map((entry) => (entry === found ? used : entry)),
  );
  return true;
}

function matches(entry: TrustEntry, event: BeforeToolCallEvent): boolean {
  const { name, input } = event.effective();
  return (
    entry.tool === name &&
    entry.place === placeOf(event, entry.scope) &&
    entry.requester === requesterOf(event) &&
    (entry.input === null || entry.input === canonical(input))
  );
}

function isOver(entry: TrustEntry, event: BeforeToolCallEvent): boolean {
  if (entry.usesLeft !== null && entry.usesLeft <= 0) return true;
  return entry.expiresAtMs !== null && entry.expiresAtMs <= event.nowMs;
}

type Written = Required<Pick<TrustTerms, 'policyVersion'>> & { readonly scope: TrustEntry['scope'] } & TrustTerms;

function newEntry(event: BeforeToolCallEvent, terms: Written, approver: string | undefined): TrustEntry {
  const { name, input } = event.effective();
  const { forMs = ONE_HOUR_MS, maxUses, scope, policyVersion } = terms;
  return {
    id: `${event.turn}/${event.toolUse.toolUseId}`,
    tool: name,
    input: terms.input === 'exact' ? canonical(input) : null,
    scope,
    place: placeOf(event, scope),
    requester: requesterOf(event),
    givenBy: approver ?? requesterOf(event),
    expiresAtMs: forMs === null ? null : event.nowMs + forMs,
    usesLeft: maxUses ?? null,
    policyVersion,
  };
}

/** The place of a scope. Thread, channel and requester come from the invocation state under these names. */
function placeOf(event: BeforeToolCallEvent, scope: TrustEntry['scope']): string {
  const { thread, channel, requester } = event.invocationState;
  const named = { conversation: thread ?? event.agent.id, channel, user: requester }[scope];
  return canonical(named);
}

function requesterOf(event: BeforeToolCallEvent): string | null {
  const { requester = null } = event.invocationState;
  return requester === null || typeof requester === 'string' ? requester : canonical(requester);
}

function covered(event: BeforeToolCallEvent, terms: TrustTerms): string {
  const { name, input } = event.effective();
  return canonical(terms.input === 'exact' ? [name, input] : [name]);
}

function trustedTools(appState: AppState): readonly string[] {
  const stored = appState.get(TOOLS);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}

function write(appState: AppState, entries: readonly TrustEntry[]): void {
  appState.set(
    ENTRIES,
    entries.map((entry): Json => ({ ...entry })),
  );
}

function isEntry(value: unknown): value is TrustEntry {
  return typeof value === 'object' && value !== null && 'tool' in value && 'place' in value && 'policyVersion' in value;
}
