/** An open database, and who acts. Opened by the first command that needs it. */
import { hostname, userInfo } from 'node:os'
import { createInternalClient } from '@merx/http/internal-client'
import { createPool } from '@merx/postgres/pool'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import type { Actor } from '../audit/audit-event.ts'
import { createCoreClient } from '../core/core-client.ts'
import type { ProvisioningDeps } from '../provisioning/provisioning-deps.ts'
import { isAnotherInTheWay, isDatabaseUnavailable } from '../store/database-errors.ts'
import { createDatabase } from '../store/prisma-client.ts'
import { CliError, EXIT } from './cli-error.ts'
import { explainUnavailable, loadCliConfig, type CliConfig } from './connection.ts'
import type { Io } from './io.ts'

export interface Session extends ProvisioningDeps {
  readonly config: CliConfig
  /** Whether core is notified of new organizations now; otherwise it learns of them with their first token. */
  readonly isCoreNotified: boolean
}

const STATEMENT_TIMEOUT_MS = 30_000
const CORE_TIMEOUT_MS = 5_000

const accountName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}` // containers run accounts that have no name
  }
}

const actorOf = ({ merxActor }: CliConfig): Actor => ({
  kind: 'operator',
  name: merxActor ?? accountName(),
  origin: hostname(),
})

const coreOf = ({
  coreInternalUrl: url,
  serviceKey: key,
}: CliConfig): ProvisioningDeps['core'] | undefined =>
  url === undefined || key === undefined
    ? undefined
    : createCoreClient(
        createInternalClient({
          url,
          key,
          timeoutMs: CORE_TIMEOUT_MS,
          log: createLogger({ service: 'merx', level: 'silent' }),
        }),
      )

/** Without CORE_INTERNAL_URL and SERVICE_KEY: what core learns later anyway is left to it, what must be asked fails. */
const ABSENT_CORE: ProvisioningDeps['core'] = {
  putEnvironment: () => Promise.resolve(),
  listRecordTypes: () =>
    Promise.reject(
      new CliError(
        'Core must be asked what it has of the organization: set CORE_INTERNAL_URL and SERVICE_KEY.',
        EXIT.usage,
      ),
    ),
}

/** Prisma: the table (P2021) or column (P2022) is not there. */
const isSchemaMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'P2021' || error.code === 'P2022')

/** Opens the database, does the work, closes it again. */
export const withSession = async (io: Io, work: (session: Session) => Promise<void>): Promise<void> => {
  const config = loadCliConfig(io.env)
  const pool = createPool({
    url: config.authDatabaseUrl,
    maxConnections: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'merx',
  })
  const database = createDatabase(pool)
  const core = coreOf(config)
  try {
    await work({
      config,
      database,
      clock: systemClock,
      actor: actorOf(config),
      core: core ?? ABSENT_CORE,
      isCoreNotified: core !== undefined,
    })
  } catch (error) {
    if (isAnotherInTheWay(error))
      throw new CliError('Another change was under way; nothing was changed. Try again.', EXIT.failed, {
        cause: error,
      })
    if (isDatabaseUnavailable(error)) throw explainUnavailable(config, error)
    if (isSchemaMissing(error))
      throw new CliError(
        'The database has not been migrated by this release of auth: start the service first.',
      )
    throw error
  } finally {
    await database.$disconnect()
    await pool.end()
  }
}
