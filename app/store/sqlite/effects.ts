import { dueWord } from '../due.ts';
import type { Effect, Hint } from '../store.ts';
import type { Statements } from './statements.ts';

/** Applies the effects of an append inside its transaction. Returns the hints to publish after the commit. */
export function applyEffects(statements: Statements, effects: readonly Effect[], nowMs: number): readonly Hint[] {
  return effects.flatMap((effect) => {
    if (effect.type === 'hint') return [effect.hint];
    applyEffect(statements, effect, nowMs);
    return [];
  });
}

function applyEffect(statements: Statements, effect: Exclude<Effect, { type: 'hint' }>, nowMs: number): unknown {
  switch (effect.type) {
    case 'due':
      return statements.putDue.run(dueWord(effect.item), effect.atMs);
    case 'not-due':
      return statements.removeDue.run(dueWord(effect.item));
    case 'todo':
      return statements.todoUnless.run(effect.thread, nowMs + effect.inMs);
    case 'not-todo':
      return statements.removeTodo.run(effect.thread);
    case 'got-further':
      return statements.dropNote.run('deaths', effect.thread);
    case 'approval':
      return statements.putApproval.run(effect.approval, effect.run);
    case 'member':
      return statements.addMember.run(effect.index.what, effect.index.of, effect.member);
    case 'not-member':
      return statements.removeMember.run(effect.index.what, effect.index.of, effect.member);
    case 'current-run':
      return effect.run === undefined
        ? statements.removeCurrentRun.run(effect.thread)
        : statements.putCurrentRun.run(effect.thread, effect.run);
    case 'run-over':
      if ((statements.currentRun.get(effect.thread)?.run ?? effect.run) !== effect.run) return undefined;
      return statements.removeMember.run(effect.index.what, effect.index.of, effect.thread);
    case 'still-current':
      return undefined;
    case 'drop-inbox':
      return effect.keys.map((key) => statements.dropFromInbox.run(effect.thread, key));
  }
}
