import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage when it is told to. */
export function collector(): (options?: { readonly type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This Node cannot be told to collect garbage.');
  return (options) => void Reflect.apply(collect, undefined, options === undefined ? [] : [options]);
}
