/** TLS and the settings of the gateway of production. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Seen } from './echo-service.ts'
import {
  DOMAIN,
  FOLDER,
  INTERFACES,
  expectAnswer,
  get,
  lab,
  launch,
  tlsSettings,
  useLab,
} from './nginx-lab.ts'
import { jsonOf, sendRaw, statusOf } from './raw.ts'

useLab()

describe('TLS', () => {
  const handshake = (port: number, options: object): Promise<TLSSocket> =>
    new Promise((done, fail) => {
      const ca = readFileSync(join(lab.certificates, 'tls.crt'))
      const socket = connectTls(
        { port, host: '127.0.0.1', servername: `auth.${DOMAIN}`, ca, ...options },
        () => done(socket),
      )
      socket.on('error', fail)
    })
  const ask = async (port: number, text: string, options: object = {}): Promise<string> => {
    const socket = await handshake(port, options)
    socket.write(text)
    let received = ''
    for await (const chunk of socket) received += String(chunk)
    return received
  }
  const line = (host: string, path = '/api/skus') =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'speaks %s, the certificate good for every name of the domain',
    async (version) => {
      const { tlsPort } = await launch(tlsSettings())
      const limits = { minVersion: version, maxVersion: version }
      const socket = await handshake(tlsPort, { ...limits, servername: `shop.${DOMAIN}` })
      expect(socket.getProtocol()).toBe(version)
      expect(socket.authorized).toBe(true)
      socket.destroy()
    },
  )

  test.each(['TLSv1', 'TLSv1.1'] as const)('does not speak %s', async (version) => {
    const { tlsPort } = await launch(tlsSettings())
    const limits = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
    await expect(handshake(tlsPort, limits)).rejects.toThrow(/protocol|version|alert|EPROTO/i)
  })

  test('routes by name, and forwards the scheme to the services', async () => {
    const { tlsPort } = await launch(tlsSettings())
    expect(await ask(tlsPort, line(`auth.${DOMAIN}`, '/oauth/token'))).toContain('"service":"auth"')
    const answer = await ask(tlsPort, line(`fashion-house.${DOMAIN}`))
    expect(answer).toContain('"service":"core"')
    expect(answer).toContain('"protocol":"https"')
  })

  test('sends HSTS only when it is configured, and only over TLS', async () => {
    const without = await launch(tlsSettings())
    expect(await ask(without.tlsPort, line(`shop.${DOMAIN}`))).not.toMatch(/strict-transport-security/i)
    const gateway = await launch({ ...tlsSettings(), GATEWAY_HSTS: 'max-age=31536000; includeSubDomains' })
    for (const path of ['/api/skus', '/nothing'])
      expect(await ask(gateway.tlsPort, line(`shop.${DOMAIN}`, path))).toMatch(
        /strict-transport-security: max-age=31536000; includeSubDomains\r/i,
      )
    const plain = await get(`${gateway.baseUrl}/api/skus`)
    expect(plain.headers['strict-transport-security']).toBeUndefined()
  })

  test('plain HTTP to the port of TLS gets an error that says so', async () => {
    const { tlsPort } = await launch(tlsSettings())
    const answer = await sendRaw(`http://127.0.0.1:${tlsPort}`, line(`shop.${DOMAIN}`))
    expect(statusOf(answer)).toBe(400)
    expect(JSON.stringify(jsonOf(answer))).toContain('HTTPS only')
  })

  describe('GATEWAY_HTTP=secure', () => {
    test.each(INTERFACES)(
      '$path over plain HTTP is refused in the dialect, not redirected',
      async ({ path, side, dialect }) => {
        const gateway = await launch({ ...tlsSettings(), GATEWAY_HTTP: 'secure' })
        expectAnswer(await get(`${gateway[side]}${path}`), 'plain', dialect)
      },
    )

    test('the sign-in page, which people type, is redirected; with credentials it is not', async () => {
      const gateway = await launch({ ...tlsSettings(), GATEWAY_HTTP: 'secure' })
      const url = `${gateway.authUrl}/oauth/authorize?client_id=x`
      const redirected = await get(url, { Host: `auth.${DOMAIN}` })
      expect(redirected.status).toBe(308)
      expect(redirected.headers.location).toBe(`https://auth.${DOMAIN}/oauth/authorize?client_id=x`)
      expect((await get(url, { Authorization: 'Basic eDp5' })).status).toBe(400)
    })

    test('over TLS everything is served, and behind a hop that ended TLS too', async () => {
      const gateway = await launch({
        ...tlsSettings(),
        GATEWAY_HTTP: 'secure',
        GATEWAY_TRUSTED_HOPS: '127.0.0.1',
      })
      expect(await ask(gateway.tlsPort, line(`shop.${DOMAIN}`))).toContain('"service":"core"')
      const https = await get(`${gateway.baseUrl}/api/skus`, { 'X-Forwarded-Proto': 'https' })
      expect(https.json<Seen>().protocol).toBe('https')
      expect((await get(`${gateway.baseUrl}/api/skus`)).status).toBe(400)
    })
  })

  test('the certificate is made once, and again when it ends within a month', () => {
    const folder = mkdtempSync(join(tmpdir(), 'merx-gateway-made-'))
    const make = () => {
      execFileSync(join(FOLDER, 'make-certificate.sh'), [folder, DOMAIN])
      return readFileSync(join(folder, 'tls.crt'), 'utf8')
    }
    try {
      const first = make()
      expect(make()).toBe(first)
      const file = join(folder, 'tls.crt')
      const short = [
        'req',
        '-x509',
        '-key',
        join(folder, 'tls.key'),
        '-days',
        '10',
        '-subj',
        '/CN=x',
        '-out',
        file,
      ]
      execFileSync('openssl', short)
      expect(make()).not.toBe(readFileSync(join(lab.certificates, 'tls.crt'), 'utf8'))
      const end = execFileSync('openssl', ['x509', '-in', file, '-noout', '-checkend', '2592000'], {
        encoding: 'utf8',
      })
      expect(end).toMatch(/will not expire/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('settings', () => {
  const check = (env: Readonly<Record<string, string>>) =>
    spawnSync(join(FOLDER, 'start.sh'), ['check'], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        GATEWAY_DIR: lab.certificates,
        GATEWAY_AUTH: '127.0.0.1:1',
        GATEWAY_CORE: '127.0.0.1:2',
        GATEWAY_METRICS: '127.0.0.1:3',
        GATEWAY_CONSOLE: '127.0.0.1:4',
        GATEWAY_ACCESS_LOG: '/dev/null',
        ...env,
      },
    })

  test('are good as they are', () => {
    expect(check({})).toMatchObject({ status: 0, stdout: 'gateway: the configuration is good\n' })
  })

  test.each([
    [{ GATEWAY_BASE_PORT: '0' }, 'GATEWAY_BASE_PORT is 0; allowed: 1 to 65535'],
    [{ GATEWAY_TLS_PORT: '8o' }, 'GATEWAY_TLS_PORT is "8o"; allowed: a port'],
    [{ GATEWAY_CORE: 'core' }, 'GATEWAY_CORE is "core"; allowed: host:port'],
    [{ GATEWAY_CORE: 'core:1;}' }, 'GATEWAY_CORE is "core:1;}"; allowed: host:port'],
    [{ GATEWAY_HTTP: 'maybe' }, 'GATEWAY_HTTP is "maybe"; allowed: serve'],
    [{ GATEWAY_HTTP: 'secure' }, 'there is neither a certificate'],
    [{ GATEWAY_OTHER_HOSTS: 'x' }, 'allowed: by-port (a laptop), refuse'],
    [{ GATEWAY_TRUSTED_HOPS: '10.0.0.0/8,::1' }, 'separated by spaces'],
    [{ GATEWAY_HSTS: 'max-age=1"' }, 'GATEWAY_HSTS'],
    [{ GATEWAY_HOST: 'a b' }, 'GATEWAY_HOST is "a b"; allowed: an address'],
    [{ GATEWAY_WORKERS: 'many' }, 'allowed: auto, or a number'],
    [{ GATEWAY_READ_TIMEOUT_SECONDS: '1m' }, 'allowed: a number of seconds'],
    [{ GATEWAY_CONNECTIONS: '-1' }, 'GATEWAY_CONNECTIONS is "-1"; allowed: a number'],
    [
      { GATEWAY_TLS_CERTIFICATE: '/nowhere/tls.crt', GATEWAY_TLS_KEY: '/nowhere/tls.key' },
      'cannot read "/nowhere/tls.crt"',
    ],
    [{ GATEWAY_ACCESS_LOG: '/dev/stdout; x' }, 'paths of letters'],
    [{ MERX_DOMAIN: 'a b' }, 'MERX_DOMAIN is "a b"; allowed: a domain'],
  ])('%j is refused and says what is allowed', (env, words) => {
    const { status, stderr } = check(env)
    expect(status).toBe(64)
    expect(stderr).toContain(words)
  })

  test('all that is wrong is named at once', () => {
    const { stderr } = check({ GATEWAY_HTTP: 'x', GATEWAY_CORE: 'y', MERX_DOMAIN: 'z z' })
    for (const name of ['GATEWAY_HTTP', 'GATEWAY_CORE', 'MERX_DOMAIN']) expect(stderr).toContain(name)
  })

  test('there is no other command', () => {
    const { status, stderr } = spawnSync(join(FOLDER, 'start.sh'), ['restart'], {
      encoding: 'utf8',
      env: {
        ...process.env,
        GATEWAY_DIR: lab.certificates,
        GATEWAY_AUTH: '127.0.0.1:1',
        GATEWAY_CORE: '127.0.0.1:2',
        GATEWAY_METRICS: '127.0.0.1:3',
        GATEWAY_CONSOLE: '127.0.0.1:4',
        GATEWAY_ACCESS_LOG: '/dev/null',
      },
    })
    expect(status).toBe(64)
    expect(stderr).toContain('allowed: none, reload, check')
  })
})
