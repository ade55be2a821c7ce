import type { Journal } from '../../page/journal/journal.ts';
import type { Sandbox } from '../../server.ts';
import type { DemoStore } from '../store/store.ts';
import type { SupervisedBot } from '../supervisor.ts';
import type { Witness } from './witness.ts';

/** What the tricks work on. */
export interface DemoStage {
  readonly sandbox: Sandbox;
  readonly witness: Witness;
  readonly journal: Pick<Journal, 'of'>;
  readonly store: DemoStore;
  /** Why a trick that needs the tools of the example cannot work. */
  readonly withoutExample?: string;
  /** Starts a second process of the bot. */
  readonly addReplica: () => Promise<void>;
  readonly bots: () => readonly SupervisedBot[];
  /** Starts the bot again with these variables besides its own. */
  readonly restart: (variables: NodeJS.ProcessEnv) => Promise<void>;
}
