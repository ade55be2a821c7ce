/** What steering can answer: it advises or asks, and never denies. The reason is always required. */
export interface SteeringProceed {
  readonly type: 'proceed';
  /** For logs. */
  readonly reason: string;
}

export interface SteeringGuide {
  readonly type: 'guide';
  /** For the model. */
  readonly reason: string;
}

export interface SteeringInterrupt {
  readonly type: 'interrupt';
  /** For the person. */
  readonly reason: string;
}

export type ToolSteeringAction = SteeringProceed | SteeringGuide | SteeringInterrupt;

/** Without asking a person, because the model has already answered. */
export type ModelSteeringAction = SteeringProceed | SteeringGuide;

export const steer = {
  proceed: (reason: string): SteeringProceed => Object.freeze({ type: 'proceed', reason }),
  guide: (reason: string): SteeringGuide => Object.freeze({ type: 'guide', reason }),
  interrupt: (reason: string): SteeringInterrupt => Object.freeze({ type: 'interrupt', reason }),
} as const;
