/** The program under measurement: the metrics service as it runs, filled from the order feed that it is given. */
import { createServer } from 'node:http'
import { createVerifier } from '@merx/access-token/verifier'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { compose } from '@merx/metrics/compose'
import { loadMetricsConfig } from '@merx/metrics/config'
import { systemClock } from '@merx/telemetry/clock'
import { createTokenMint } from '@merx/testing/mint-token'

export interface ServeFreshnessInput {
  readonly folder: string
  readonly feedUrl: string
  readonly feedKey: string
  readonly organizationId: string
}

export interface ServeFreshnessFacts {
  readonly token: string
}

runAsTarget<ServeFreshnessInput, ServeFreshnessFacts>(
  async ({ folder, feedUrl, feedKey, organizationId }) => {
    const mint = await createTokenMint({ clock: systemClock })
    const verifier = createVerifier({
      keySet: mint.keySet,
      issuer: mint.issuer,
      clock: systemClock,
      accessState: { isLoaded: true, isRevoked: () => false, roleOf: () => undefined },
    })
    const config = loadMetricsConfig({
      SERVICE_KEY: feedKey,
      CORE_INTERNAL_URL: feedUrl,
      CLICKHOUSE_PATH: folder,
      RATE_LIMIT_SCALE: '100000',
    })
    const metrics = await compose(config, { verifier })
    const service = createServer(metrics.app)
    const port = await findFreePort()
    await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve))
    await metrics.start()
    await metrics.ingester?.caughtUp()
    const organization = { id: organizationId, slug: 'acme', enterprise: true, region: 'eu-west-1' }
    return {
      url: `http://127.0.0.1:${port}`,
      facts: { token: await mint.mint({ organization, test: false }) },
      close: async () => {
        service.close()
        await metrics.close()
      },
    }
  },
)
