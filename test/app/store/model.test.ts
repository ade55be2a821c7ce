import { systemClock } from '../../../app/clock.ts';
import { createModelStore } from '../../support/model-store.ts';
import { describeStore } from './contract.ts';

describeStore('the model of a store', async () => {
  const store = createModelStore(systemClock);
  return { store, other: store, close: async () => {} };
});
