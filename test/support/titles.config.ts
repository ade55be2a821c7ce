import { defineConfig } from 'vitest/config';

/** Every test in one project, to list their titles: each project would read all of the sources again. */
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], isolate: false, maxWorkers: 1 },
});
