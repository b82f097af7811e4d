/** Runs the stand-in as a process of its own: `node clickhouse-over-http-main.ts`, configured by CLICKHOUSE_* variables. */
import { readFileSync } from 'node:fs'
import { startClickHouseOverHttp } from './clickhouse-over-http.ts'

const { env } = process

const password = (): string => {
  const file = env.CLICKHOUSE_PASSWORD_FILE
  return file === undefined ? (env.CLICKHOUSE_PASSWORD ?? '') : readFileSync(file, 'utf8').trim()
}

const server = await startClickHouseOverHttp({
  folder: env.CLICKHOUSE_FOLDER ?? '/var/lib/clickhouse',
  host: env.CLICKHOUSE_HOST ?? '127.0.0.1',
  port: Number(env.CLICKHOUSE_PORT ?? 8123),
  user: env.CLICKHOUSE_USER ?? 'default',
  password: password(),
  database: env.CLICKHOUSE_DB ?? 'default',
})
process.stdout.write('ready\n')

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close()
  })
}
