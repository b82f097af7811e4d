/**
 * The program under measurement: the metrics service over the filled store of a shop, and next to it, in the same process
 * and on the same engine, a listener that runs SQL as it is given and tells how long that took.
 */
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { createVerifier } from '@merx/access-token/verifier'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { compose } from '@merx/metrics/compose'
import { loadMetricsConfig } from '@merx/metrics/config'
import type { Engine } from '@merx/metrics/engine/engine'
import { systemClock } from '@merx/telemetry/clock'
import { createTokenMint } from '@merx/testing/mint-token'
import { ENVIRONMENT } from './order-rows.ts'
import { openShop } from './shop-store.ts'

export interface ServeMetricsInput {
  readonly orders: number
}

export interface ServeMetricsFacts {
  readonly token: string
  readonly handUrl: string
}

const budget = { timeoutMs: 600_000, memoryBytesMax: 6e9, groupsMax: 1e7, rowsMax: 1e6 }
const HOST = '127.0.0.1'

const listen = async (server: Server): Promise<string> => {
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve))
  return `http://${HOST}:${port}`
}

/** `POST /` with statements as JSON: `{ ms }`, all of them in turn. `POST /counted`: the same with their counts, `POST /execute`: for writes. */
const serveByHand = (engine: Engine): Server =>
  createServer((req, res) => {
    const work = async (): Promise<string> => {
      const statements = JSON.parse(await text(req)) as readonly string[]
      const startedAt = performance.now()
      for (const statement of statements) {
        const asked = { text: statement, params: {} }
        if (req.url === '/execute') await engine.execute(asked)
        else if (req.url === '/counted') await engine.runCounted(asked, budget)
        else await engine.run(asked, budget)
      }
      return JSON.stringify({ ms: performance.now() - startedAt })
    }
    work().then(
      (body) => res.end(body),
      (error: unknown) => {
        const { cause } = error as Error
        res.writeHead(500).end(String(cause ?? error))
      },
    )
  })

runAsTarget<ServeMetricsInput, ServeMetricsFacts>(async ({ orders }) => {
  const engine = await openShop(orders, () => undefined)
  const mint = await createTokenMint({ clock: systemClock })
  const accessState = { isLoaded: true, isRevoked: () => false, roleOf: () => undefined }
  const verifier = createVerifier({
    keySet: mint.keySet,
    issuer: mint.issuer,
    clock: systemClock,
    accessState,
  })
  const config = loadMetricsConfig({
    SERVICE_KEY: 'a key for benchmarks only',
    RATE_LIMIT_SCALE: '100000',
    METRICS_INGEST: 'false',
    QUERY_TIMEOUT_MS: '120000',
    QUERY_MEMORY_MB: '4000',
  })
  const metrics = await compose(config, { engine, verifier })
  const service = createServer(metrics.app)
  const byHand = serveByHand(engine)
  const organization = { id: ENVIRONMENT.organizationId, slug: 'acme', enterprise: true, region: 'eu-west-1' }
  const token = await mint.mint({ organization, test: false })
  const [url, handUrl] = [await listen(service), await listen(byHand)]
  return {
    url,
    facts: { token, handUrl },
    close: async () => {
      service.close()
      byHand.close()
      await metrics.close()
    },
  }
})
