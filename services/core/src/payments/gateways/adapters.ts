/** Type of a gateway → its adapter. A type without one cannot move money yet. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import type { PaymentGateway } from '../gateway.ts'
import { manualGateway } from './manual.ts'

const ADAPTERS: Readonly<Record<string, PaymentGateway>> = { manual_gateways: manualGateway }

/**
 * `number` is that of a row of payment_gateways. A gateway that is disabled still finishes what it began. Money of an order
 * that was imported without a payment method has none: it was taken elsewhere, and whoever runs the shop sees to it.
 */
export const requireGateway = async (
  number: number | null | undefined,
  at: NonNullable<WriteViolation['at']>,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<{ readonly adapter: PaymentGateway } | { readonly violation: WriteViolation }> => {
  if ((number ?? null) === null) return { adapter: manualGateway }
  const text = 'SELECT type FROM payment_gateways WHERE environment_id = $1 AND id = $2'
  const [row] = await run<{ readonly type: string }>({ text, values: [scope.environmentId, number] })
  const type = row?.type ?? ''
  const adapter = ADAPTERS[type]
  if (adapter !== undefined) return { adapter }
  const message = `cannot be paid with ${type} yet; allowed: ${Object.keys(ADAPTERS).join(', ')}`
  return { violation: { at, error: 'not_supported', message } }
}
