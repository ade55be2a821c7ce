import type { Sandbox } from '../../server.ts';
import type { SupervisedBot } from '../supervisor.ts';
import type { Witness } from './witness.ts';

/** What the tricks work on. */
export interface DemoStage {
  readonly sandbox: Sandbox;
  readonly witness: Witness;
  readonly bots: () => readonly SupervisedBot[];
  /** Starts the bot again with these variables besides its own. */
  readonly restart: (variables: NodeJS.ProcessEnv) => Promise<void>;
}
