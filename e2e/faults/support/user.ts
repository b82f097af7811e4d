/**
 * A client of the lab: one organization's credential, a token that it requests again on demand, requests that are
 * recorded, refusals that are judged. Each request is from another address, so that no rate limit is in the way.
 */
import { JSON_API, METRICS_ACCEPT } from '../../support/connect.ts'
import { first, type CredentialName } from '../../support/demo.ts'
import { send, type Outgoing, type Reply } from '../../support/send.ts'
import { freshAddress } from '../../support/source-address.ts'
import { claimsOf, type TokenBody } from '../../support/wire.ts'
import { problemOfRefusal } from './dialects.ts'
import type { PublicSide } from './lab.ts'
import { isGood, type Observation, type Outcome } from './observations.ts'
import type { ServiceName } from './service-process.ts'

/** As long as a patient client waits. */
const PATIENCE_MS = 15_000

/** What the load found out so far. */
export interface LoadRecord {
  readonly observations: Observation[]
  /** Answers that are wrong, foreign, or refusals that are not as documented. */
  readonly wrong: Set<string>
  /** Good answers whose content was compared with what is known. */
  compared: number
  failed: number
}

export const createRecord = (): LoadRecord => ({ observations: [], wrong: new Set(), compared: 0, failed: 0 })

export interface User {
  readonly organizationId: string
  /** A good answer, or undefined; the refusal is recorded. */
  core(method: string, path: string, body?: unknown): Promise<Reply | undefined>
  metrics(path: string, body: unknown): Promise<Reply | undefined>
  /** Asks for a token and keeps it. */
  signIn(): Promise<boolean>
  /** Says that an answer is not what it must be. */
  wrong(what: string): void
  compared(): void
}

export interface UserOptions {
  readonly lab: PublicSide
  readonly record: LoadRecord
  /** Index into the demo's organizations. */
  readonly organization: number
  readonly credential: CredentialName
  /** Of its tokens, such as `market:id:…`. */
  readonly scope?: string
  /** Statuses besides 503 that the fault may show. */
  readonly allowed: ReadonlySet<Outcome>
}

export const createUser = (options: UserOptions): User => {
  const { lab, record, organization, credential, allowed, scope } = options
  const {
    id: organizationId,
    slug,
    environments,
  } = first(lab.demo.organizations.slice(organization), `organization ${organization}`)
  const { client_id, client_secret } = environments.test.credentials[credential]
  let token: string | undefined

  const note = (service: ServiceName, outcome: Outcome): void => {
    record.observations.push({ service, at: performance.now(), outcome })
    if (!isGood(outcome)) record.failed += 1
    if (!isGood(outcome) && !allowed.has(outcome)) record.wrong.add(`${service} answered ${outcome}`)
  }

  const exchange = async (
    service: ServiceName,
    request: Omit<Outgoing, 'from'>,
  ): Promise<Reply | undefined> => {
    const reply = await send({ ...request, from: freshAddress(), timeoutMs: PATIENCE_MS }).catch(
      () => undefined,
    )
    note(service, reply?.status ?? 'none')
    if (reply === undefined || reply.status < 400) return reply
    const fault = problemOfRefusal(service, reply)
    if (fault !== undefined) record.wrong.add(fault)
    if (reply.status === 401) token = undefined
    return undefined
  }

  const signIn = async (): Promise<boolean> => {
    const reply = await exchange('auth', {
      method: 'POST',
      url: `${lab.addresses.auth}/oauth/token`,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret, scope }),
    })
    if (reply === undefined) return false
    token = reply.json<TokenBody>().access_token
    const claims = claimsOf(token)
    if (claims.organization.slug !== slug || claims.application.client_id !== client_id || !claims.test)
      record.wrong.add(`auth gave ${slug} a token of ${claims.organization.slug}`)
    record.compared += 1
    return true
  }

  const withToken = async (
    service: 'core' | 'metrics',
    request: Omit<Outgoing, 'from'>,
  ): Promise<Reply | undefined> => {
    if (token === undefined && !(await signIn())) return undefined
    return exchange(service, {
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${token ?? ''}` },
    })
  }

  return {
    organizationId,
    signIn,
    core: (method, path, body) =>
      withToken('core', {
        method,
        url: `${lab.addresses.core}/api/${path}`,
        headers: { Accept: JSON_API, ...(body === undefined ? {} : { 'Content-Type': JSON_API }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    metrics: (path, body) =>
      withToken('metrics', {
        method: 'POST',
        url: `${lab.addresses.metrics}/metrics/${path}`,
        headers: { Accept: METRICS_ACCEPT, 'Content-Type': JSON_API },
        body: JSON.stringify(body),
      }),
    wrong: (what) => void record.wrong.add(what),
    compared: () => {
      record.compared += 1
    },
  }
}

/** The integration of an organization of the demo, when nothing is broken: any refusal is wrong. */
export const integrationOf = (lab: PublicSide, organization: number, record = createRecord()): User =>
  createUser({ lab, record, organization, credential: 'integration', allowed: new Set() })
