import { systemClock } from '../../../app/clock.ts';
import { createModelStore } from '../../support/model-store.ts';
import { describeStore } from './contract.ts';
import { describeHomeClaims } from './home-claims.ts';

const engine = async () => {
  const store = createModelStore(systemClock);
  return { store, other: store, close: async () => {} };
};

describeStore('the model of a store', engine);
describeHomeClaims('the model of a store', engine);
