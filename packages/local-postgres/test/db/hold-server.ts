/** A parent to be killed: starts the server of its first argument, says where it is, and stays. */
import { startLocalPostgres } from '../../src/local-postgres.ts'
import type { LocalPostgresOptions } from '../../src/local-postgres.ts'

const options = JSON.parse(process.argv[2] ?? '') as LocalPostgresOptions
const server = await startLocalPostgres(options)
process.stdout.write(`${JSON.stringify({ pid: server.pid, url: server.url('postgres') })}\n`)
setInterval(() => undefined, 60_000)
