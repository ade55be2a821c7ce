export { createFoldedJournals } from './folded.ts';
export { createPinsJournal, type PinFact, type PinsJournal } from './pins-journal.ts';
export { createStoreTime, SetBackError, type StoreTime } from './reading.ts';
export { type Committed, createRecorder, type Recorder, type RecorderDeps } from './recorder.ts';
export { createRefusals, type PressRefusals } from './refusals.ts';
export { openRunJournal, type RunJournal } from './run-journal.ts';
export { createSeals, type Seals } from './seals.ts';
export { createTrustEnds, type RecordEnd } from './trust-ends.ts';
export { createWorkspaceJournal, type WorkspaceJournal } from './workspace-journal.ts';
