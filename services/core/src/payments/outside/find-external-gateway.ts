/** The external gateway of a public id, in whatever environment: the caller has no token, only the secret of the gateway. */
import type { OutsideDeps } from '../../engine/write/outside-calls.ts'
import type { GatewayRow } from './gateway-question.ts'

export const findExternalGateway = async (
  id: string,
  { registry, run }: Pick<OutsideDeps, 'registry' | 'run'>,
): Promise<GatewayRow | undefined> => {
  const number = registry.ids.decode('payment_gateways', id)
  if (number === undefined) return undefined
  const text = "SELECT * FROM payment_gateways WHERE id = $1 AND type = 'external_gateways'"
  const rows = await run<GatewayRow>({ text, values: [number] })
  return rows.length === 1 ? rows[0] : undefined
}
