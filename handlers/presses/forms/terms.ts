import { StoredTrustTerms } from '../../../app/records/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import { type FormDeps, type FormEnd, sentence, truthOf } from '../../responding/index.ts';
import { FIELD, lineModal } from '../../views/index.ts';
import { decideByForm } from './decide-by-form.ts';

/** Shows the line that the chosen terms would store. No trust is given yet. */
export async function onTerms(
  { approvals }: FormDeps,
  { by, memory, values, choices }: SubmittedForm,
): Promise<FormEnd> {
  const match = values.get(FIELD.match);
  const parts = choices.get(FIELD.parts) ?? [];
  const unclear = match === 'fields' ? parts.length === 0 : parts.length > 0;
  if (unclear) return { type: 'errors', errors: { [FIELD.parts]: parts.length === 0 ? PARTS.none : PARTS.unused } };
  const terms = StoredTrustTerms.parse({
    match,
    // Only the names travel. The values are read from the call and shown in the line.
    ...(parts.length === 0 ? {} : { where: Object.fromEntries(parts.map((name) => [name, ''])) }),
    scope: values.get(FIELD.scope),
    forMs: Number(values.get(FIELD.forMs)),
  });
  const result = await approvals.offerTrust(memory.approval, by, terms);
  switch (result.type) {
    case 'offered':
      return { type: 'show', view: lineModal(result.approval, result.offer, memory) };
    case 'unfit':
      return { type: 'errors', errors: { [FIELD.scope]: result.problem } };
    default:
      return { type: 'say', say: sentence(truthOf(result, by.user)) };
  }
}

const PARTS = {
  none: 'Choose at least one part, or choose other calls above.',
  unused: 'These parts count only with “If the parts chosen below are the same”. Choose that above, or choose no part.',
} as const;

/** Gives trust on the terms of the shown line. */
export async function onLine(deps: FormDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { terms } = submitted.memory;
  if (terms === undefined) throw new Error('A trust form has forgotten its terms. Open it again from the card.');
  const result = await decideByForm(deps, submitted, { verdict: 'trust', terms });
  return { type: result.type === 'decided' ? 'done' : 'say', say: sentence(truthOf(result, submitted.by.user)) };
}
