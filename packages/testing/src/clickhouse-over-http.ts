/**
 * ClickHouse's HTTP interface in front of chdb: stands in for a ClickHouse server where none can be had, so that the
 * network path of a client is real. One database, one user; settings of a request are refused unless they concern HTTP.
 * See ClickHouse's documentation, "HTTP interface".
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Session } from 'chdb'
import { fromWireParams } from './clickhouse-params.ts'

export interface ClickHouseOverHttpOptions {
  /** Folder of the data; no other process may have it open. */
  readonly folder: string
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export interface ClickHouseOverHttp {
  /** As clients take it: `http://user:password@host:port/database`. */
  readonly url: string
  close(): Promise<void>
}

/** What a request may say about its answer, which needs no doing here. */
const HTTP_PARAMETERS = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'enable_http_compression',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
])

/** A refusal in ClickHouse's own words, so that clients read it as the server's. */
class ClickHouseRefusal extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, name: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message} (${name})`)
    this.status = status
    this.code = code
  }
}

/** Opens the folder and listens. */
export const startClickHouseOverHttp = async (
  options: ClickHouseOverHttpOptions,
): Promise<ClickHouseOverHttp> => {
  const { host = '127.0.0.1', port = 0, user, password, database } = options
  const session = new Session(options.folder)
  await session.queryAsync(`CREATE DATABASE IF NOT EXISTS ${database}`)
  await session.queryAsync(`USE ${database}`)
  const server = createServer((request, response) => {
    answer(session, options, request)
      .then((body) => send(response, 200, body))
      .catch((error: unknown) => sendError(response, error))
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${bound}/${database}`,
    close: async () => {
      await closeServer(server)
      session.close()
    },
  }
}

const answer = async (
  session: Session,
  options: ClickHouseOverHttpOptions,
  request: IncomingMessage,
): Promise<Uint8Array> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/ping') return Buffer.from('Ok.\n')
  requireUser(options, request)
  requireParameters(options, searchParams)
  const body = await text(request)
  const query = searchParams.get('query')
  const sql = query === null ? body : `${query}\n${body}`
  const params = fromWireParams(sql, searchParams)
  const result = await session.queryBindAsync(sql, params, { format: 'TabSeparated' })
  return result.bytes()
}

const requireUser = ({ user, password }: ClickHouseOverHttpOptions, { headers }: IncomingMessage): void => {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const expected = `${user}:${password}`
  if (!isSame(Buffer.from(basic, 'base64').toString('utf8'), expected))
    throw new ClickHouseRefusal(403, 516, 'AUTHENTICATION_FAILED', 'Authentication failed.')
}

const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

const digest = (value: string): Buffer => createHash('sha256').update(value).digest()

const requireParameters = ({ database }: ClickHouseOverHttpOptions, params: URLSearchParams): void => {
  const asked = params.get('database') ?? database
  if (asked !== database)
    throw new ClickHouseRefusal(404, 81, 'UNKNOWN_DATABASE', `Database ${asked} does not exist`)
  const unknown = [...params.keys()].find((name) => !HTTP_PARAMETERS.has(name) && !name.startsWith('param_'))
  if (unknown !== undefined)
    throw new ClickHouseRefusal(400, 115, 'UNKNOWN_SETTING', `Setting ${unknown} is not supported here`)
}

const send = (response: ServerResponse, status: number, body: Uint8Array, code?: number): void => {
  if (code !== undefined) response.setHeader('X-ClickHouse-Exception-Code', code)
  response.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8', 'content-length': body.length })
  response.end(body)
}

const sendError = (response: ServerResponse, error: unknown): void => {
  if (error instanceof ClickHouseRefusal) send(response, error.status, Buffer.from(error.message), error.code)
  else if (error instanceof Error && 'clickhouseCode' in error && typeof error.clickhouseCode === 'number')
    send(response, 500, Buffer.from(error.message), error.clickhouseCode)
  else send(response, 500, Buffer.from(`Code: 49. DB::Exception: ${String(error)} (LOGICAL_ERROR)`), 49)
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeAllConnections()
  })
