/** Type of a gateway → its adapter. A type without one cannot move money yet. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import type { PaymentGateway } from '../gateway.ts'
import { manualGateway } from './manual.ts'

const ADAPTERS: Readonly<Record<string, PaymentGateway>> = { manual_gateways: manualGateway }

/** `number` is that of a row of payment_gateways. A gateway that is disabled still finishes what it began. */
export const requireGateway = async (
  number: number | null | undefined,
  at: NonNullable<WriteViolation['at']>,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<{ readonly adapter: PaymentGateway } | { readonly violation: WriteViolation }> => {
  const text = 'SELECT type FROM payment_gateways WHERE environment_id = $1 AND id = $2'
  const [row] = await run<{ readonly type: string }>({ text, values: [scope.environmentId, number ?? null] })
  const adapter = row === undefined ? undefined : ADAPTERS[row.type]
  if (adapter !== undefined) return { adapter }
  const allowed = Object.keys(ADAPTERS).join(', ')
  const message =
    row === undefined
      ? 'has no payment gateway that could move the money'
      : `cannot be paid with ${row.type} yet; allowed: ${allowed}`
  return { violation: { at, error: 'not_supported', message } }
}
