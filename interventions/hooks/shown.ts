import { canonical, canonicalCall } from '../canonical.ts';
import type { InterventionEvent } from './events.ts';

/**
 * What people are shown of a moment, as one text. The loop compares it before and after asking, so that only what they
 * saw goes on.
 */
export function shown(event: InterventionEvent): string {
  switch (event.type) {
    case 'beforeInvocation':
    case 'beforeModelCall':
      return canonical([event.type, event.messages]);
    case 'afterToolCall': {
      const { name, input } = event.toolUse;
      return canonical([event.type, name, input, event.result]);
    }
    case 'afterModelCall':
      return canonical([event.type, event.stopData?.message]);
    case 'beforeToolCall':
      return canonicalCall(event.effective());
  }
}
