import type { AgentView, AppState, Judge, Message, Warning } from '../../../interventions/index.ts';

/**
 * What the events of a run show of its agent. A class, because each object that is written down with a getter gets a shape of
 * its own, and the engine keeps that shape, the getter and all the getter sees until it collects everything.
 */
export class AgentOfRun implements AgentView {
  readonly id: string;
  readonly appState: AppState;
  readonly warn: (warning: Warning) => void;
  readonly judge?: Judge;
  readonly #messages: () => readonly Message[];

  constructor({
    messages,
    judge,
    ...agent
  }: Omit<Required<AgentView>, 'messages' | 'judge'> & {
    readonly judge: Judge | undefined;
    readonly messages: () => readonly Message[];
  }) {
    this.id = agent.id;
    this.appState = agent.appState;
    this.warn = agent.warn;
    if (judge !== undefined) this.judge = judge;
    this.#messages = messages;
  }
  /** The messages as they are now. */
  get messages() {
    return this.#messages();
  }
}
