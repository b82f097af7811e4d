/** nginx in front of echoing services, for the tests of what only it does. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeAnswer, gatewayAnswers } from '@merx/embedded/gen/gateway-answers.ts'
import { launchGateway, type GatewayOptions, type RunningGateway } from '../support/launch-gateway.ts'
import { send, type Reply } from '../support/send.ts'
import { startEchoService, type EchoService } from './echo-service.ts'

export const FOLDER = resolve(import.meta.dirname, '../../infra/gateway')
export const DOMAIN = 'merx.localhost'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const services = {} as Record<'auth' | 'core' | 'metrics' | 'console', EchoService>
const running: RunningGateway[] = []
/** Where the certificate is. */
export const lab = { certificates: '' }

export const launch = async (
  env: Readonly<Record<string, string>> = {},
  places: Partial<GatewayOptions> = {},
): Promise<RunningGateway> => {
  const { auth, core, metrics, console } = services
  const gateway = await launchGateway({
    auth: auth.address,
    core: core.address,
    metrics: metrics.address,
    console: console.address,
    ...places,
    env: { MERX_DOMAIN: DOMAIN, ...env },
  })
  running.push(gateway)
  return gateway
}

export const get = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  send({ url, headers, from: '127.0.0.1' })

/** A request is logged when all of it is over, a moment after the client has its answer. */
export const untilLogged = async (gateway: RunningGateway): Promise<readonly Record<string, unknown>[]> => {
  for (;;) {
    const lines = gateway.accessLog()
    if (lines.length > 0) return lines
    await wait(10)
  }
}

/** The interfaces of a gateway, each with a path of it and the dialect of its errors. */
export const INTERFACES = [
  { name: 'core', path: '/api/skus', side: 'baseUrl', dialect: 'jsonapi' },
  { name: 'metrics', path: '/metrics/orders/stats', side: 'baseUrl', dialect: 'metrics' },
  { name: 'auth', path: '/oauth/token', side: 'authUrl', dialect: 'oauth' },
  { name: 'auth', path: '/oauth/tokeninfo', side: 'baseUrl', dialect: 'oauth' },
  { name: 'console', path: '/console/orders', side: 'baseUrl', dialect: 'jsonapi' },
  { name: 'auth', path: '/provisioning/users', side: 'authUrl', dialect: 'jsonapi' },
  { name: 'auth', path: '/provisioning/users', side: 'baseUrl', dialect: 'jsonapi' },
] as const

/** The answer is, word for word, what the encoder of the dialect makes of the fault. */
export const expectAnswer = (
  reply: Reply,
  name: string,
  dialect: (typeof INTERFACES)[number]['dialect'],
): void => {
  const answer = gatewayAnswers.find((entry) => entry.name === name)
  if (answer === undefined) throw new Error(`there is no answer ${name}`)
  const requestId = reply.headers['x-request-id'] ?? ''
  expect(requestId).toMatch(UUID)
  const { status, contentType, headers, body } = encodeAnswer(answer, dialect, String(requestId))
  expect(reply.status).toBe(status)
  expect(reply.json()).toEqual(body)
  expect(reply.headers['content-type']).toBe(contentType)
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  if ('Cache-Control' in headers) expect(reply.headers['cache-control']).toBe('no-store')
  if (answer.retryAfterSeconds !== undefined)
    expect(reply.headers['retry-after']).toBe(String(answer.retryAfterSeconds))
}

/** Starts the echoing services and makes a certificate before the tests of a file, and ends all of it after them. */
export const useLab = (): void => {
  beforeAll(async () => {
    for (const name of ['auth', 'core', 'metrics', 'console'] as const)
      services[name] = await startEchoService(name)
    lab.certificates = mkdtempSync(join(tmpdir(), 'merx-gateway-tls-'))
    execFileSync(join(FOLDER, 'make-certificate.sh'), [lab.certificates, DOMAIN])
  }, 60_000)

  afterAll(async () => {
    await Promise.all(running.map((gateway) => gateway.stop()))
    await Promise.all(Object.values(services).map((service) => service.stop()))
    rmSync(lab.certificates, { recursive: true, force: true })
  })
}

export const tlsSettings = () => ({
  GATEWAY_TLS_CERTIFICATE: join(lab.certificates, 'tls.crt'),
  GATEWAY_TLS_KEY: join(lab.certificates, 'tls.key'),
})
