/** What clients and certificates do to the edge: connections held by those who hardly send, a certificate that has ended. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as openSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { SERVICES } from '../support/service-process.ts'

const SLOW_PER_ADDRESS = 200
const DRIP_MS = 1_000

const HEADERS = 'GET /health HTTP/1.1\r\nHost: slow\r\nX-Slow: '
const BODY =
  'POST /oauth/token HTTP/1.1\r\nHost: slow\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n'

interface SlowClient {
  readonly kind: 'headers' | 'body'
  readonly url: string
  readonly socket: Socket
  readonly timer: NodeJS.Timeout
}

/** A byte each second, of headers that never end or of a body that takes a quarter of an hour. */
const dripTo = (url: string, kind: SlowClient['kind']): SlowClient => {
  const { port } = new URL(url)
  const socket = openSocket(Number(port), '127.0.0.1')
  socket.on('error', () => socket.destroy()) // the other side hung up, as it should
  socket.resume()
  socket.write(kind === 'headers' ? HEADERS : BODY)
  const timer = setInterval(() => socket.write('a'), DRIP_MS)
  socket.once('close', () => clearInterval(timer))
  return { kind, url, socket, timer }
}

const createSlowClients = (): Fault => {
  let clients: readonly SlowClient[] = []
  const faults: string[] = []
  return {
    name: 'slow-clients',
    title: `${SLOW_PER_ADDRESS * (SERVICES.length + 2)} slow clients, a byte a second, at nginx and at each service itself`,
    isUnseen: true,
    lastsMs: 20_000, // more than headers may take
    inject: ({ addresses, services }) => {
      const urls = [addresses.core, addresses.auth, ...SERVICES.map((name) => services[name].url)]
      clients = urls.flatMap((url) =>
        Array.from({ length: SLOW_PER_ADDRESS }, (_, index) =>
          dripTo(url, index % 2 === 0 ? 'headers' : 'body'),
        ),
      )
    },
    repair: () => {
      const held = clients.filter(({ kind, socket }) => kind === 'headers' && !socket.closed)
      for (const url of new Set(held.map((client) => client.url)))
        faults.push(`clients that never ended their headers were still held by ${url}`)
      for (const { socket } of clients) socket.destroy()
    },
    check: () => Promise.resolve(faults),
  }
}

const RELOADED_MS_MAX = 15_000
const DOMAIN = 'merx.localhost'
const AUTHORITY = (folder: string): string => `
[ca]
default_ca = own
[own]
new_certs_dir = ${folder}
database = ${folder}/index
serial = ${folder}/serial
default_md = sha256
policy = names
unique_subject = no
copy_extensions = copy
[names]
commonName = supplied
`

/** A certificate of its own making for the domain, good between two instants such as `20240131000000Z`. */
const makeCertificate = (folder: string, from: string, to: string): { certificate: string; key: string } => {
  mkdirSync(folder, { recursive: true })
  const [config, key, request, certificate] = ['ca.conf', 'tls.key', 'tls.csr', 'tls.crt'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  writeFileSync(config, AUTHORITY(folder))
  writeFileSync(join(folder, 'index'), '')
  writeFileSync(join(folder, 'serial'), '01\n')
  const openssl = (...args: readonly string[]): unknown => execFileSync('openssl', args, { stdio: 'pipe' })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const names = ['-subj', `/CN=${DOMAIN}`, '-addext', `subjectAltName=DNS:${DOMAIN},DNS:*.${DOMAIN}`]
  openssl('req', '-new', ...curve, ...names, '-keyout', key, '-out', request)
  const span = ['-startdate', from, '-enddate', to]
  openssl(
    'ca',
    '-batch',
    '-selfsign',
    '-config',
    config,
    '-in',
    request,
    '-keyfile',
    key,
    ...span,
    '-out',
    certificate,
  )
  return { certificate, key }
}

/** `served`, or the word of the error with which a client that verifies turns away. */
const askOverTls = (port: number, certificate: string): Promise<string> =>
  new Promise((resolve) => {
    const ca = readFileSync(certificate)
    const socket = connectTls({ port, host: '127.0.0.1', servername: `auth.${DOMAIN}`, ca }, () =>
      socket.write(
        `GET /.well-known/jwks.json HTTP/1.1\r\nHost: auth.${DOMAIN}\r\nConnection: close\r\n\r\n`,
      ),
    )
    let answer = ''
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.on('end', () => resolve(answer.startsWith('HTTP/1.1 200') ? 'served' : answer.slice(0, 40)))
  })

const instant = (daysFromNow: number): string =>
  new Date(Date.now() + daysFromNow * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, '')

const createExpiredCertificate = (): Fault => {
  const faults: string[] = []
  const install = async (
    { folder, gateway }: Lab,
    name: string,
    from: number,
    to: number,
  ): Promise<string> => {
    const { certificate, key } = makeCertificate(join(folder, name), instant(from), instant(to))
    await gateway.reload({ GATEWAY_TLS_CERTIFICATE: certificate, GATEWAY_TLS_KEY: key })
    return certificate
  }
  // Workers with the new settings take over a moment after the reload was taken.
  const expectAnswer = async ({ gateway }: Lab, certificate: string, expected: string): Promise<void> => {
    const deadline = performance.now() + RELOADED_MS_MAX
    let found = await askOverTls(gateway.tlsPort, certificate)
    while (found !== expected && performance.now() < deadline) {
      await wait(50)
      found = await askOverTls(gateway.tlsPort, certificate)
    }
    if (found !== expected) faults.push(`a client over TLS saw ${found} instead of ${expected}`)
  }
  return {
    name: 'expired-certificate',
    title:
      'the TLS certificate of nginx expired; renewed with a reload (clients that verify turn away meanwhile)',
    isUnseen: true, // by those who do not come over TLS
    prepare: async (lab) => {
      await expectAnswer(lab, await install(lab, 'good', -1, 30), 'served')
      return () => lab.gateway.reload()
    },
    inject: async (lab) => expectAnswer(lab, await install(lab, 'expired', -30, -1), 'CERT_HAS_EXPIRED'),
    repair: async (lab) => expectAnswer(lab, await install(lab, 'renewed', -1, 30), 'served'),
    check: () => Promise.resolve(faults),
  }
}

/** Requests that were in them break off; nginx starts others. */
const killedWorkers: Fault = {
  name: 'kill-nginx-workers',
  title: 'kill -9 of every worker of nginx, three times (requests in them break off)',
  allowed: ['none'],
  lastsMs: 100,
  inject: async ({ gateway }) => {
    for (let turn = 0; turn < 3; turn += 1) {
      for (const pid of childrenOf(gateway.pid)) process.kill(pid, 'SIGKILL')
      await wait(300)
    }
  },
  repair: () => undefined,
}

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

export const gatewayFaults: readonly Fault[] = [
  createSlowClients(),
  createExpiredCertificate(),
  killedWorkers,
]
