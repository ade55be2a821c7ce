import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { quotation } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { blockId, type Granted } from './call.ts';

/** The state of the world as the tool saw it when people were asked, and what has changed since the last time. */
export function lookedBlocks(approval: Approval): readonly KnownBlock[] {
  const { preview = '', precondition, was } = approval;
  const id = (part: string): string => blockId(approval, part);
  return [
    ...(preview.trim() === '' ? [] : [said(id('preview'), 'What it would do, in the tool’s own words', preview)]),
    ...(was === undefined || precondition === undefined
      ? []
      : [
          said(id('was'), 'It was approved before, and did not run because this has changed. It was', was),
          said(id('is'), 'Now it is', precondition.text),
        ]),
  ];
}

function said(id: string, whose: string, text: string): KnownBlock {
  return quotation(id, whose, text.trim(), SHOWN.previewChars);
}

/** Why a yes counts no more. */
export function voidNote({ outdated }: Granted): readonly string[] {
  return outdated === undefined ? [] : [`${CHANGED[outdated]} changed before it could run, so it was asked again.`];
}

const CHANGED = { world: 'What it rests on', rules: 'The tool or the rules for it' } as const;
