/** The client of core's internal interface: facts about scopes and customers, over core's internal interface. */
import type { Mode } from '@merx/access-token/caller'
import type { ScopeReference } from '@merx/access-token/parse-scope'
import type { InternalClient } from '@merx/http/internal-client'
import type { ScopeFacts } from '../scopes/scope-facts.ts'
import { parseCustomer, parseRecordTypes, parseScopeFacts } from './core-answers.ts'
import type { Customer } from './core-answers.ts'
import { toUnavailable, undefinedIfNotFound } from './core-errors.ts'

/** Organization × mode: customers and markets of one environment are unknown to every other. */
export interface Environment {
  readonly organizationId: string
  readonly mode: Mode
}

export interface Core {
  resolveScope(environment: Environment, references: readonly ScopeReference[]): Promise<ScopeFacts>
  /**
   * Undefined when there is no such customer or the password is wrong; core takes as long for both.
   * @param login.isGuessing the address sent wrong passwords lately, so its checks share one thread with others like it
   */
  authenticateCustomer(
    environment: Environment,
    login: { email: string; password: string; isGuessing: boolean },
  ): Promise<Customer | undefined>
  findCustomer(environment: Environment, customerId: string): Promise<Customer | undefined>
  /** Core learns of an environment; repeating it is harmless. */
  putEnvironment(environment: Environment, organization: { slug: string; name: string }): Promise<void>
  /** What core has of an organization, in either mode: names of resource types. */
  listRecordTypes(organizationId: string): Promise<readonly string[]>
}

const toRow = ({ organizationId, mode }: Environment) => ({ organization_id: organizationId, mode })

export const createCoreClient = (client: InternalClient): Core => ({
  resolveScope: (environment, references) =>
    client
      .post('/internal/scopes/resolve', { ...toRow(environment), references }, { parse: parseScopeFacts })
      .catch(toUnavailable),

  authenticateCustomer: (environment, { email, password, isGuessing }) => {
    // Sent only when true: a core of an earlier release does not know it.
    const login = { email, password, ...(isGuessing ? { is_guessing: true } : {}) }
    return client
      .post('/internal/customers/authenticate', { ...toRow(environment), ...login }, { parse: parseCustomer })
      .catch(undefinedIfNotFound)
  },

  findCustomer: (environment, customerId) =>
    client
      .get(`/internal/customers/${encodeURIComponent(customerId)}`, {
        query: toRow(environment),
        parse: parseCustomer,
      })
      .catch(undefinedIfNotFound),

  putEnvironment: async (environment, { slug, name }) => {
    await client.put('/internal/environments', { ...toRow(environment), slug, name }).catch(toUnavailable)
  },

  listRecordTypes: (organizationId) =>
    client
      .get('/internal/record-types', {
        query: { organization_id: organizationId },
        parse: parseRecordTypes,
      })
      .catch(toUnavailable),
})
