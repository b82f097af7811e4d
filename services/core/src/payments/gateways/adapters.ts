/** Type of a gateway → its adapter, or that it is asked outside. Those of vendors move no money. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import type { PaymentGateway } from '../gateway.ts'
import type { GatewayRow } from '../outside/gateway-question.ts'
import { vendorNotCalled } from '../vendors/vendors.ts'
import { manualGateway } from './manual.ts'

const OUTSIDE = 'external_gateways'
const ADAPTERS: Readonly<Record<string, PaymentGateway>> = { manual_gateways: manualGateway }

/**
 * `number` is that of a row of payment_gateways. A gateway that is disabled still finishes what it began. Money of an order
 * that was imported without a payment method has none: it was taken elsewhere, and whoever runs the shop sees to it.
 */
export const requireGateway = async (
  number: number | null | undefined,
  at: NonNullable<WriteViolation['at']>,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<
  | { readonly adapter: PaymentGateway }
  | { readonly outside: GatewayRow }
  | { readonly violation: WriteViolation }
> => {
  if ((number ?? null) === null) return { adapter: manualGateway }
  const text = 'SELECT * FROM payment_gateways WHERE environment_id = $1 AND id = $2'
  const [row] = await run<GatewayRow>({ text, values: [scope.environmentId, number] })
  const type = row?.type ?? ''
  if (row?.type === OUTSIDE) return { outside: row }
  const adapter = ADAPTERS[type]
  if (adapter !== undefined) return { adapter }
  return { violation: vendorNotCalled(type, at) }
}
