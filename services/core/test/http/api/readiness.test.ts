/** When core says it is ready: once it knows which tokens are revoked, and not before. */
import { TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { startAccessStateServer } from '@merx/testing/access-state-server'
import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { eventually } from '@merx/testing/eventually'
import { freshDatabase } from '@merx/testing/fresh-database'
import { inProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { compose } from '../../../src/compose.ts'
import { loadCoreConfig } from '../../../src/config.ts'
import { migrationsFolder } from '../../../src/migrate.ts'

const afterwards = cleanUpAfterEach()

it('is ready when auth has sent what is revoked', async () => {
  const auth = await startAccessStateServer()
  afterwards(() => auth.close())
  const database = await freshDatabase({ name: 'readiness', migrations: migrationsFolder })
  afterwards(() => database.drop())
  const config = loadCoreConfig({
    CORE_DATABASE_URL: database.url,
    AUTH_INTERNAL_URL: auth.url,
    SERVICE_KEY: 'a-service-key-for-tests',
    ID_SECRET: TEST_ID_SECRET,
  })
  const core = await compose(config, { log: silentLogger })
  afterwards(() => core.close())
  const ask = () => inProcessClient(core.internalApp).get('/health/ready')
  await core.start()
  expect(await ask()).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { database: 'ok', access: 'failing' } },
  })
  auth.tell()
  await eventually(async () => (await ask()).status === 200)
  expect((await ask()).body).toEqual({ status: 'ok', checks: { database: 'ok', access: 'ok' } })
})
