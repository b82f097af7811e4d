/**
 * `infra/check-containers replicas` runs it on the containers of docker-compose.yml with compose.replicas.yml over it, and demo data:
 * every check, or those named, one after the other. Last line: `N passed, N failed`.
 */
import { cutNetwork } from './checks/cut-network.ts'
import { failover } from './checks/failover.ts'
import { idempotency } from './checks/idempotency.ts'
import { jobs } from './checks/jobs.ts'
import { oversell } from './checks/oversell.ts'
import { rateLimits } from './checks/rate-limits.ts'
import { redisNode } from './checks/redis-node.ts'
import { rejoin } from './checks/rejoin.ts'
import { revocation } from './checks/revocation.ts'
import { rollingRestart } from './checks/rolling-restart.ts'
import { standby } from './checks/standby.ts'
import type { Check } from './support/check.ts'

const SHOWN = 20

/** In this order: what follows a failover runs on the promoted standby. */
const CHECKS: readonly Check[] = [
  rateLimits,
  oversell,
  idempotency,
  jobs,
  revocation,
  rollingRestart,
  cutNetwork,
  redisNode,
  standby,
  failover,
  rejoin,
]

const select = (names: readonly string[]): readonly Check[] => {
  const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name))
  if (unknown.length > 0)
    throw new Error(`no check ${unknown.join(', ')}; there are ${CHECKS.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? CHECKS : CHECKS.filter(({ name }) => names.includes(name))
}

const runOne = async ({ title, run }: Check): Promise<boolean> => {
  const { figures, wrong } = await run().catch((error: unknown) => ({
    figures: '',
    wrong: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }))
  console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${title}`)
  if (figures !== '') console.log(`     ${figures}`)
  for (const sentence of wrong.slice(0, SHOWN)) console.log(`     ! ${sentence}`)
  return wrong.length === 0
}

const main = async (): Promise<number> => {
  let failed = 0
  const checks = select(process.argv.slice(2))
  for (const check of checks) if (!(await runOne(check))) failed += 1
  console.log(`${checks.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
