/** The two addresses the world sees. */
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { listen } from '@merx/http/listen'
import type { ListenOptions } from '@merx/http/listen'
import { OperatorError } from './operator-error.ts'
import type { Settings } from './settings.ts'

export interface PublicAddress {
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '127.0.0.1', '::1'])
const DRAIN_TIMEOUT_MS = 5_000

/** They are bound last, so nothing else of this system may take them before. */
export const publicPorts = ({ merxBasePort, merxAuthPort }: Settings): ReadonlySet<number> =>
  new Set([merxBasePort, merxAuthPort])

type PortName = 'MERX_BASE_PORT' | 'MERX_AUTH_PORT'

/** @throws OperatorError naming the port and its variable when something else listens there. */
export const assertPortsFree = async (settings: Settings): Promise<void> => {
  const { merxHost: host, merxBasePort, merxAuthPort } = settings
  if (merxBasePort === merxAuthPort && merxBasePort !== 0) {
    throw new OperatorError(
      `MERX_BASE_PORT and MERX_AUTH_PORT are both ${merxBasePort}.`,
      'Each address needs a port of its own.',
    )
  }
  await assertFree(host, merxBasePort, 'MERX_BASE_PORT')
  await assertFree(host, merxAuthPort, 'MERX_AUTH_PORT')
}

const assertFree = (host: string, port: number, name: PortName): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(explainBind(error, host, port, name)))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })

/** @throws OperatorError as assertPortsFree does. */
export const openPublicAddress = async (
  handler: RequestListener,
  settings: Settings,
  name: PortName,
  options: Pick<ListenOptions, 'rawErrors'> = {},
): Promise<PublicAddress> => {
  const host = settings.merxHost
  const port = name === 'MERX_BASE_PORT' ? settings.merxBasePort : settings.merxAuthPort
  try {
    const listening = await listen(handler, { host, port, drainTimeoutMs: DRAIN_TIMEOUT_MS, ...options })
    return { port: listening.port, url: urlOf(host, listening.port), close: () => listening.close() }
  } catch (error) {
    throw explainBind(error, host, port, name)
  }
}

/** What people type: `localhost` wherever that reaches it. */
const urlOf = (host: string, port: number): string =>
  `http://${ANY_ADDRESS.has(host) ? 'localhost' : host}:${port}`

const explainBind = (error: unknown, host: string, port: number, name: PortName): Error => {
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined)
  switch (code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `port ${port} is in use by another program.`,
        `Stop that program, or choose another port: ${name}=${port + 1000} npm start`,
        { cause: error },
      )
    case 'EACCES':
      return new OperatorError(
        `port ${port} may not be used by this account.`,
        `Choose a port above 1023 with ${name}.`,
        { cause: error },
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(`this machine has no address ${host}.`, 'Correct MERX_HOST.', { cause: error })
    default:
      return error instanceof Error ? error : new Error(String(error))
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
