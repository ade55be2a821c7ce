import { renameSync } from 'node:fs';
import type { State } from '../state.ts';
import { type KeptWorkspace, readWorkspace, workspaceAsText, writeInOneStep } from './workspace-file.ts';

/** Keeps a workspace in a file. */
export interface Keeping {
  /** Saves what is not saved yet, and stops. */
  readonly close: () => void;
}

export interface KeepingOptions {
  readonly file: string;
  /** The address of the sandbox. */
  readonly address: string;
  /** Told in a sentence what became of a file that cannot be read. */
  readonly onTrouble: (sentence: string) => void;
}

/** A workspace of fewer characters is saved with each change: what the app was told outlasts the sandbox. */
const SMALL = 200_000;
const AFTER_MS = 100;
/** A large one takes longer to save, and is saved less often. */
const PAUSE_PER_SAVE = 10;

/** Takes up what the file has, and saves there what changes. */
export function keepWorkspace(state: State, { file, address, onTrouble }: KeepingOptions): Keeping {
  const found = readWorkspace(file, address);
  if (found === 'broken') onTrouble(setAside(file));
  else if (found !== undefined) takeUp(state, found);

  let saved = workspaceAsText(state);
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = AFTER_MS;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const beganMs = performance.now();
    const text = workspaceAsText(state);
    if (text !== saved) writeInOneStep(file, text);
    saved = text;
    pauseMs = Math.max(AFTER_MS, (performance.now() - beganMs) * PAUSE_PER_SAVE);
  };
  const forget = state.onChange(() => {
    if (saved.length < SMALL) return save();
    timer ??= setTimeout(save, pauseMs);
  });
  return {
    close: () => {
      forget();
      save();
    },
  };
}

function setAside(file: string): string {
  const aside = `${file}.broken-${Date.now()}`;
  renameSync(file, aside);
  return `The saved workspace cannot be read. It is now ${aside}, and the workspace begins empty.`;
}

function takeUp(state: State, found: KeptWorkspace): void {
  for (const name of ['messages', 'sessions', 'homes', 'files'] as const) {
    const map: Map<string, unknown> = state[name];
    for (const [key, value] of found[name]) map.set(key, value);
  }
  for (const id of found.archived) {
    const channel = state.channels.get(id);
    if (channel !== undefined) state.channels.set(id, { ...channel, isArchived: true });
  }
}
