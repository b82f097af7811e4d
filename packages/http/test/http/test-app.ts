/** A small real app as a service would compose it, and raw sockets for what no HTTP client would send. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ErrorCode } from '@merx/errors/catalogue'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import type { ErrorEncoder } from '@merx/errors/error-encoder'
import { createRecordingLogger, type RecordingLogger } from '@merx/testing/silent-logger'
import type { Express } from 'express'
import { createApp, type AppOptions } from '../../src/create-app.ts'
import { finishApp } from '../../src/finish-app.ts'

interface Wording {
  readonly encodeError: ErrorEncoder
  readonly internalError: ErrorCode
  readonly notFound: ErrorCode
  readonly malformed?: ErrorCode
  readonly undecodablePaths?: AppOptions['undecodablePaths']
}

const jsonApi: Wording = {
  encodeError: encodeJsonApi,
  internalError: 'internal_server_error',
  notFound: 'not_found',
}

interface TestApp extends RecordingLogger {
  readonly app: Express
}

/** An app whose routes `mount` adds; its log can be read. */
export const testApp = (
  mount: (app: Express) => void,
  { trustProxy = 0, ...wording }: Partial<Wording> & { trustProxy?: number } = {},
): TestApp => {
  const { log, lines } = createRecordingLogger()
  const { notFound, malformed, undecodablePaths, ...dialect } = { ...jsonApi, ...wording }
  const refusal = malformed === undefined ? {} : { malformed }
  const app = createApp({ service: 'try', log, trustProxy, undecodablePaths, ...dialect, ...refusal })
  mount(app)
  finishApp(app, { notFound, log, ...refusal })
  return { app, log, lines }
}

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const PIECE_MS = 20

/** Sends bytes on a fresh connection, a list piece by piece, and reads until the server closes it. */
export const sendRaw = async (
  port: number,
  bytes: string | readonly (string | Buffer)[],
): Promise<RawAnswer> => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  for (const piece of [bytes].flat()) {
    socket.write(piece)
    if (piece !== bytes) await new Promise((resolve) => setTimeout(resolve, PIECE_MS))
  }
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  const [statusLine = '', ...headerLines] = head.split('\r\n')
  const headers = headerLines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body }
}
