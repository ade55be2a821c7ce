import { z } from 'zod';
import { defineTool } from '../../../app/index.ts';
import { witnessed } from '../../services.ts';

export const refundOrder = defineTool({
  name: 'refund_order',
  description: 'Pays an order back to the customer. The money leaves at once.',
  input: z.object({ order: z.string().max(20).describe('Its number'), amount: z.number().positive().max(500) }),
  because: 'Money leaves the company.',
  summarise: ({ order, amount }) => `Pay ${amount} € back for order ${order}.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'refund_order', key, input, signal }, () => `Paid ${input.amount} € back for ${input.order}.`),
});
