export { readArchive, readableOf } from './archive-file.ts';
export { type Altered, alterOneByte } from './audit/altered.ts';
export { attentionLines, attentionRows, measureAttention } from './audit/attention.ts';
export { exportLines, tailLines } from './audit/export.ts';
export { verify } from './audit/verify.ts';
export { createDue } from './due.ts';
export { createRecordKeeping, type RecordKeeping } from './record-keeping.ts';
export { type Cost, createUsage, type Spent, type ThreadUsage, type UsageOf } from './usage.ts';
