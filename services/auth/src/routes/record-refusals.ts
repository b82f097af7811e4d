/** Refusals of the token endpoint, on their way to the caller, into the token events. */
import { toAppErrors } from '@merx/errors/to-app-errors'
import { currentContext } from '@merx/telemetry/request-context'
import type { Request } from 'express'
import type { TokenEvents } from '../audit/token-events.ts'
import { presentedClient } from '../clients/client-authentication.ts'
import { isGrantName } from '../grants/grant-names.ts'
import { countRefusal } from '../telemetry.ts'
import { toOAuthUnavailable } from './unavailable.ts'

const fieldsOf = ({ body }: Request): Record<string, unknown> =>
  body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {}

/** As the request says, right or not. */
const clientIdOf = (req: Request): unknown => {
  const { client_id: inBody } = fieldsOf(req)
  const authorization = req.get('authorization')
  if (authorization === undefined) return inBody
  try {
    return presentedClient(authorization, {}).clientId
  } catch {
    return inBody // the header says nothing usable, which is what the refusal is about
  }
}

export const recordRefusal =
  (events: Pick<TokenEvents, 'record'>) =>
  (error: unknown, req: Request): void => {
    const [first] = toAppErrors(toOAuthUnavailable(error), 'oauth_internal')
    const context = currentContext()
    const reason = first?.title ?? 'server_error'
    const grant = fieldsOf(req)['grant_type']
    countRefusal(typeof grant === 'string' && isGrantName(grant) ? grant : undefined, reason)
    events.record({
      outcome: 'refused',
      error: reason,
      grant,
      clientId: clientIdOf(req),
      origin: context?.clientAddress ?? 'unknown',
      requestId: context?.requestId,
    })
  }
