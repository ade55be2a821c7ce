import type { Respond } from './tell.ts';

/** A delivery as it reaches whoever answers it; `body` is still Slack's, to be parsed. */
export interface Arrival {
  readonly body: unknown;
  readonly ack: () => Promise<void>;
  /** Only presses and commands come with an address for the answer. */
  readonly respond: Respond | undefined;
}

export type Answer = (arrival: Arrival) => Promise<void>;

/** A row of the table in `handlers/index.ts`: what Slack may deliver, and who answers. */
export type Delivery =
  | {
      readonly kind: 'event';
      readonly name: string;
      /** What the manifest has to subscribe to for it. */
      readonly declared: readonly string[];
      readonly answer: Answer;
    }
  | { readonly kind: 'action' | 'command'; readonly name: string; readonly answer: Answer };
