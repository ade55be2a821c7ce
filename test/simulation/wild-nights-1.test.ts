import { tellNights } from './nights.ts';

tellNights(1);
