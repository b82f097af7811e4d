/** A process to be killed: a dispatcher of webhooks on the database of its first argument, until it ends. */
import { TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import { areas } from '../../src/areas.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { createSecretBox } from '../../src/engine/secret-box.ts'
import { createWebhookDispatcher } from '../../src/events/webhook-dispatcher.ts'
import { createOutside } from '../../src/outside/outside.ts'

createWebhookDispatcher({
  database: openDatabase({ url: process.argv[2] ?? '', maxConnections: 4 }),
  registry: createRegistry(areas, { ids: createPublicIds({ secret: TEST_ID_SECRET }) }),
  secretBox: createSecretBox(TEST_ID_SECRET),
  outside: createOutside({ allowedNetworks: ['127.0.0.0/8'] }),
  clock: systemClock,
  log: createLogger({ service: 'core', level: 'error' }),
  onAttempt: () => undefined,
}).start()
