/** Calls of the internal interface of core, as the other services make them. */
import { Secret } from '@merx/config/secret'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { inProcessClient } from '@merx/testing/in-process-client'
import type { InProcessClient, InProcessResponse } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { createInternalApp } from '../../../src/app.ts'
import { areas } from '../../../src/areas.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { internalRoutes } from '../../../src/internal/routes.ts'
import { createOrderFeed } from '../../../src/order-feed/order-feed.ts'

export interface InternalCalls {
  /** Without a service key. */
  readonly client: InProcessClient
  /** With it. */
  call(method: string, path: string, body?: unknown): Promise<InProcessResponse>
  close(): Promise<void>
}

const KEY = 'a-service-key-for-tests'

export const openInternalCalls = async (database: Database): Promise<InternalCalls> => {
  const feed = createOrderFeed({ database, ids: testIds, log: silentLogger })
  await feed.start()
  const registry = createRegistry(areas, { ids: testIds })
  const routes = internalRoutes({ database, ids: testIds, registry, feed, serviceKey: new Secret(KEY) })
  const client = inProcessClient(createInternalApp({ log: silentLogger, routes, ready: {} }))
  return {
    client,
    call: (method, path, body) =>
      client.request(method, path, { token: KEY, ...(body === undefined ? {} : { body }) }),
    close: () => feed.close(),
  }
}

export interface Refusal {
  readonly status: number
  readonly code: string | undefined
  readonly sources: readonly (string | undefined)[]
}

interface ErrorBody {
  readonly errors: readonly {
    readonly code: string
    readonly source?: { readonly pointer?: string; readonly parameter?: string }
  }[]
}

/** Status, first code, and what each error points to. */
export const refusalOf = ({ status, body }: InProcessResponse): Refusal => {
  const { errors } = body as ErrorBody
  return {
    status,
    code: errors[0]?.code,
    sources: errors.map(({ source }) => source?.pointer ?? source?.parameter),
  }
}
