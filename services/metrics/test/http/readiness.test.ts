/** When metrics says it is ready: once it knows which tokens are revoked, and not before. */
import { startAccessStateServer } from '@merx/testing/access-state-server'
import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { eventually } from '@merx/testing/eventually'
import { inProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { compose } from '../../src/compose.ts'
import { loadMetricsConfig } from '../../src/config.ts'
import { createRecordingEngine, emptyFeed } from '../support/test-app.ts'

const afterwards = cleanUpAfterEach()

it('is ready when auth has sent what is revoked', async () => {
  const auth = await startAccessStateServer()
  afterwards(() => auth.close())
  const config = loadMetricsConfig({ SERVICE_KEY: 'a key for tests only', AUTH_INTERNAL_URL: auth.url })
  const { engine } = createRecordingEngine()
  const metrics = await compose(config, { log: silentLogger, engine, feed: emptyFeed })
  afterwards(() => metrics.close())
  const ask = () => inProcessClient(metrics.internalApp).get('/health/ready')
  await metrics.start()
  await metrics.ingester?.caughtUp()
  expect(await ask()).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { engine: 'ok', orders: 'ok', access: 'failing' } },
  })
  auth.tell()
  await eventually(async () => (await ask()).status === 200)
  expect((await ask()).body).toMatchObject({ status: 'ok', checks: { access: 'ok' } })
})
