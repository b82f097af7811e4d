/** Both gateways in front of the same echoing services: nginx as in production, and the one of `npm start`. */
import { createGateway } from '@merx/embedded/src/gateway.ts'
import { rawErrors } from '@merx/embedded/src/raw-errors.ts'
import { listen, type Listening } from '@merx/http/listen'
import { silentLogger } from '@merx/testing/silent-logger'
import { launchGateway } from '../support/launch-gateway.ts'
import { createEchoApp, startEchoService } from './echo-service.ts'

export const DOMAIN = 'merx.localhost'

/** The two public addresses. */
export interface Addresses {
  readonly base: string
  readonly auth: string
}

export interface Target {
  /** Believes nobody. */
  readonly open: Addresses
  /** Believes the hop in front, which is this machine. */
  readonly behind: Addresses
  stop(): Promise<void>
}

const SERVICES = ['auth', 'core', 'metrics', 'console'] as const

const startNginx = async (): Promise<Target> => {
  const services = await Promise.all(SERVICES.map((name) => startEchoService(name)))
  const [auth, core, metrics, console] = services.map(({ address }) => address) as [
    ...[string, string, string],
    string,
  ]
  const launch = (env: Record<string, string>) =>
    launchGateway({ auth, core, metrics, console, env: { MERX_DOMAIN: DOMAIN, ...env } })
  const [open, behind] = [await launch({}), await launch({ GATEWAY_TRUSTED_HOPS: '127.0.0.0/8' })]
  return {
    open: { base: open.baseUrl, auth: open.authUrl },
    behind: { base: behind.baseUrl, auth: behind.authUrl },
    stop: async () => {
      await Promise.all([open.stop(), behind.stop()])
      await Promise.all(services.map((service) => service.stop()))
    },
  }
}

const startEmbedded = async (): Promise<Target> => {
  const listeners: Listening[] = []
  const open = async (trustProxy: number): Promise<Addresses> => {
    const [auth, core, metrics, console] = SERVICES.map((name) => createEchoApp(name, trustProxy))
    if (auth === undefined || core === undefined || metrics === undefined || console === undefined)
      throw new Error('four services')
    const gateway = createGateway(
      { auth, core, metrics, console },
      { log: silentLogger, trustProxy, domain: DOMAIN },
    )
    const base = await listen(gateway.base, { host: '127.0.0.1', port: 0, rawErrors: rawErrors.base })
    const authSide = await listen(gateway.auth, { host: '127.0.0.1', port: 0, rawErrors: rawErrors.auth })
    listeners.push(base, authSide)
    return { base: base.url, auth: authSide.url }
  }
  const [addresses, behind] = [await open(0), await open(1)]
  return {
    open: addresses,
    behind,
    stop: async () => {
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}

export const TARGETS = [
  { name: 'nginx', start: startNginx },
  { name: 'npm start', start: startEmbedded },
] as const
