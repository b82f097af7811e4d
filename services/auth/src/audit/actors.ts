/** Reads the actor of a request, for the audit log. */
import { currentContext } from '@merx/telemetry/request-context'
import type { Credential } from '../clients/credential.ts'
import type { Actor } from './audit-event.ts'

const originOfRequest = (): string => currentContext()?.clientAddress ?? 'unknown'

/** An application, by its client id, from the address of the request being served. */
export const clientActor = ({ clientId }: Pick<Credential, 'clientId'>): Actor => ({
  kind: 'client',
  name: clientId,
  origin: originOfRequest(),
})

/** A person, by the email they sign in with, from the address of the request being served. */
export const userActor = ({ email }: { readonly email: string }): Actor => ({
  kind: 'user',
  name: email,
  origin: originOfRequest(),
})
