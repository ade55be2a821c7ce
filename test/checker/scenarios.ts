import type { Disturbances, Scenario } from './world.ts';

const CALM: Disturbances = { crash: 0, loseReply: 0, swapInput: 0, passTime: 0 };

const approver = { verdict: 'approve', mayDecide: true } as const;
const refuser = { verdict: 'deny', mayDecide: true } as const;
const stranger = { verdict: 'approve', mayDecide: false } as const;

/** Two replicas and two people around one call; each scenario adds what may go wrong. */
const around = (may: Partial<Disturbances>, more: Partial<Scenario> = {}): Scenario => ({
  calls: ['a'],
  replicas: 2,
  pressers: [approver, refuser],
  stops: 0,
  may: { ...CALM, ...may },
  ...more,
});

export const CRASH_AND_LOST_REPLY = around({ crash: 1, loseReply: 1 });
export const STOP_AND_EXPIRY = around({ passTime: 1 }, { stops: 1, pressers: [stranger, refuser] });
export const ANOTHER_INPUT = around({ swapInput: 1 }, { pressers: [approver, stranger] });
/** Only the last gate stands between a call and its tool. */
export const FAILED_OPEN = around({ passTime: 1 }, { stops: 1, replicas: 1, careless: true });
/** Two replicas, two pressers, an expiry, a stop and a crash. */
export const ALL_AT_ONCE = around({ crash: 1, passTime: 1 }, { stops: 1, pressers: [approver, stranger] });
/** Both people may decide, and they disagree. */
export const ALL_AT_ONCE_AND_ENTITLED = around({ crash: 1, passTime: 1 }, { stops: 1 });

/** One replica takes the other for dead in the middle of a call, and people disagree about the outcome. */
export const LOST_CALL = around(
  {},
  {
    pressers: [approver, approver],
    choosers: [
      { choice: 'retry', mayDecide: true },
      { choice: 'skip', mayDecide: true },
    ],
  },
);
/** The same with a stop and with time that runs out. */
export const LOST_CALL_AND_STOP = around(
  { crash: 1, passTime: 1 },
  { replicas: 1, pressers: [approver], stops: 1, choosers: [{ choice: 'happened', mayDecide: true }] },
);
/** A standing yes that is taken away at any moment, and a crash. */
export const TRUSTED = around(
  { crash: 1 },
  {
    pressers: [approver],
    trust: { revokes: 1 },
    choosers: [{ choice: 'retry', mayDecide: true }],
  },
);

/** Two people must say yes. One presses twice, one says no, and one presses after the first has lost the right. */
export const SEVERAL = around(
  { crash: 1 },
  {
    quorum: 2,
    replicas: 1,
    pressers: [
      { ...approver, person: 'ANN' },
      { ...approver, person: 'ANN' },
      { ...approver, firstIsLost: true },
      refuser,
    ],
  },
);

/** Too large to follow completely, so random schedules are tried. */
export const CROWD: Scenario = {
  calls: ['a', 'b', 'c'],
  replicas: 4,
  pressers: [approver, approver, refuser, stranger, approver, stranger],
  stops: 1,
  choosers: [
    { choice: 'retry', mayDecide: true },
    { choice: 'happened', mayDecide: true },
    { choice: 'retry', mayDecide: true },
    { choice: 'skip', mayDecide: false },
  ],
  may: { crash: 3, loseReply: 3, swapInput: 2, passTime: 1 },
};
/** The same, where a trust covers the calls until a person ends it. */
export const TRUSTING_CROWD: Scenario = { ...CROWD, trust: { revokes: 1 } };
