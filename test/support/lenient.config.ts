import { defineConfig } from '../../app/index.ts';
import ruled from './ruled.config.ts';

/** The rules of `ruled.config.ts` as they were before they were made stricter: nothing is denied, and one person is enough. */
export default defineConfig({
  ...ruled,
  rules: (ruled.rules ?? []).flatMap((rule) => {
    if (rule.effect === 'deny') return [];
    return rule.quorum === undefined ? [rule] : [{ ...rule, quorum: 1 }];
  }),
});
