/**
 * The process that holds the test servers. It lives as long as its standard input: when Jest ends in any way,
 * kill -9 included, the pipe closes, and this process stops the servers and removes their folder.
 * It writes one line of JSON when all is ready: `{ postgresUrl?, redisUrl? }`, or `{ error }`.
 *
 * Arguments: the names of the servers to start, `postgres` and `redis`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgresServer } from './postgres-server.ts'
import { startRedisServer } from './redis-server.ts'

const wanted = new Set(process.argv.slice(2))
const folder = await mkdtemp(join(tmpdir(), 'merx-test-'))

const start = async () => {
  const [postgres, redis] = await Promise.allSettled([
    wanted.has('postgres') ? startPostgresServer(folder) : undefined,
    wanted.has('redis') ? startRedisServer({ folder }) : undefined,
  ])
  return { postgres, redis }
}

const starting = start()

const stop = async (): Promise<void> => {
  const { postgres, redis } = await starting
  if (postgres.status === 'fulfilled') await postgres.value?.stop()
  if (redis.status === 'fulfilled') await redis.value?.stop()
  await rm(folder, { recursive: true, force: true })
  process.exit(0)
}

// An interrupt reaches the whole process group; Jest's end, not the signal, decides when the servers go.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.removeAllListeners(signal).on(signal, () => undefined)
process.stdin
  .resume()
  .on('end', () => void stop())
  .on('error', () => void stop())

const { postgres, redis } = await starting
const failure = [postgres, redis].find((result) => result.status === 'rejected')
const report = failure
  ? { error: failure.reason instanceof Error ? failure.reason.message : String(failure.reason) }
  : {
      postgresUrl: postgres.status === 'fulfilled' ? postgres.value?.url : undefined,
      redisUrl: redis.status === 'fulfilled' ? redis.value?.url : undefined,
    }
process.stdout.write(`${JSON.stringify(report)}\n`)
