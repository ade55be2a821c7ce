import type { ModalView } from '@slack/types';
import type { Taken } from './taken.ts';
import type { Respond } from './tell.ts';

/** A delivery as its answer is given it. `body` is still Slack's and has to be parsed. */
export interface Arrival {
  readonly body: unknown;
  /**
   * Answers a submitted form, or acknowledges a command that is done; the door acknowledges everything else before it hands it
   * over. An answer that is `late` was not shown: by then the form, or a whisper to the writer, says that it takes longer.
   */
  readonly ack: (answer?: FormAnswer) => Promise<'taken' | 'late'>;
  /** Absent for events and forms, which Slack sends without an address for the answer. */
  readonly respond: Respond | undefined;
  /** Present for an event whose message the door took. */
  readonly taken?: Taken | undefined;
}

/** What Slack does with a form that was submitted; without an answer it closes. */
export type FormAnswer =
  | { readonly response_action: 'update'; readonly view: ModalView }
  /** By the id of the block. The form stays open. */
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> };

/** Answers a delivery with what its workspace has. */
export type AnswerDelivery<Deps> = (deps: Deps, arrival: Arrival) => Promise<void>;

/** A row of the table of deliveries: what Slack may deliver, and what answers it. */
export type Delivery<Deps> =
  | {
      readonly kind: 'event';
      readonly name: string;
      /** What the manifest has to subscribe to for it. */
      readonly declared: readonly string[];
      readonly answer: AnswerDelivery<Deps>;
    }
  | {
      readonly kind: 'action' | 'command' | 'form' | 'shortcut';
      readonly name: string;
      readonly answer: AnswerDelivery<Deps>;
    };
