/** Real sockets and a resolver of the test's own: nothing leaves the machine. */
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { generate } from 'selfsigned'
import { createOutside } from '../../../src/outside/outside.ts'
import type { Outside, OutsideOptions } from '../../../src/outside/outside.ts'
import { isSignedWith, SIGNATURE_HEADER } from '../../../src/outside/signature.ts'
import { openHttpReceiver, openReceiver, openTcpReceiver } from './support.ts'
import type { Receiver } from './support.ts'

const SECRET = 'c0ffee'
const LOOPBACK = '127.0.0.1'
const PRIVATE = '10.0.0.7'

let closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.reverse()) await close()
  closers = []
})

const opened = async (opening: Promise<Receiver>): Promise<Receiver> => {
  const receiver = await opening
  closers.push(() => receiver.close())
  return receiver
}

/** Every name leads to 127.0.0.1, which is allowed. */
const open = (options: Partial<OutsideOptions> = {}): Outside => {
  const outside = createOutside({
    allowedNetworks: ['127.0.0.0/8'],
    resolve: async () => [LOOPBACK],
    ...options,
  })
  closers.push(() => outside.close())
  return outside
}

const post = (outside: Outside, url: string, timeoutMs = 300) =>
  outside.post({ url, body: '{"data":{}}', secret: SECRET, timeoutMs })

const writes = (text: string) => (socket: Socket) => {
  socket.once('data', () => socket.write(text))
}

describe('an answer', () => {
  test('has status, headers and body; the body was signed and sent byte by byte', async () => {
    const seen: { headers: unknown; body: Buffer }[] = []
    const receiver = await opened(
      openHttpReceiver((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          seen.push({ headers: request.headers, body: Buffer.concat(chunks) })
          response.writeHead(201, { 'x-own': 'yes' }).end('größer')
        })
      }),
    )
    const body = '{"data":{"id":"ä"}}'
    const result = await open().post({
      url: `http://shop.test:${receiver.port}/hook?a=1`,
      body,
      secret: SECRET,
      headers: { 'x-commercelayer-topic': 'orders.place' },
    })
    expect(result).toMatchObject({
      kind: 'answered',
      status: 201,
      headers: { 'x-own': 'yes' },
      body: 'größer',
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.body.toString()).toBe(body)
    expect(seen[0]?.headers).toMatchObject({
      host: `shop.test:${receiver.port}`,
      'content-type': 'application/vnd.api+json',
      'x-commercelayer-topic': 'orders.place',
    })
    const { [SIGNATURE_HEADER]: signature } = seen[0]?.headers as Record<string, string>
    expect(isSignedWith(body, SECRET, signature ?? '')).toBe(true)
  })

  test.each([200, 202, 400, 422, 500, 503])('of status %i is an answer, whatever it says', async (status) => {
    const receiver = await opened(
      openHttpReceiver((_request, response) => response.writeHead(status).end('<no>')),
    )
    expect(await post(open(), `http://shop.test:${receiver.port}`)).toMatchObject({
      kind: 'answered',
      status,
      body: '<no>',
    })
  })

  test('of 1 MB is read, of one byte more is not', async () => {
    const receiver = await opened(
      openHttpReceiver((request, response) => response.end('x'.repeat(Number(request.url?.slice(1))))),
    )
    const outside = open()
    const url = `http://shop.test:${receiver.port}`
    expect(await post(outside, `${url}/1048576`, 5_000)).toMatchObject({ kind: 'answered' })
    expect(await post(outside, `${url}/1048577`, 5_000)).toMatchObject({
      kind: 'failed',
      reason: 'too_large',
    })
  })
})

describe('a receiver that misbehaves fails the call', () => {
  const DRIP = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  const GIGABYTE = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n')
    const chunk = Buffer.alloc(65_536, 'x')
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  }
  const cases: readonly [string, string, (socket: Socket) => void][] = [
    ['accepts and says nothing', 'timeout', () => undefined],
    ['drips its answer slowly', 'timeout', DRIP],
    ['drips its headers slowly', 'timeout', writes('HTTP/1.1 200 OK\r\nx-a: ')],
    ['closes before it answers', 'connection', (socket) => socket.once('data', () => socket.end())],
    ['resets the connection', 'connection', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    [
      'closes in the middle of its answer',
      'connection',
      (socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf an answer')),
    ],
    ['answers with a gigabyte', 'too_large', GIGABYTE],
    [
      'answers with a status below 100',
      'invalid_answer',
      writes('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'),
    ],
    ['speaks something else', 'invalid_answer', writes('220 mail.shop.test ESMTP\r\n')],
    ['sends endless headers', 'invalid_answer', writes(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\n`)],
    [
      'redirects to a private address',
      'redirect',
      writes(`HTTP/1.1 302 Found\r\nlocation: http://${PRIVATE}/\r\ncontent-length: 0\r\n\r\n`),
    ],
    [
      'redirects to another name',
      'redirect',
      writes('HTTP/1.1 307 Moved\r\nlocation: http://b.test/\r\n\r\n'),
    ],
    [
      'switches protocols',
      'connection',
      writes('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ]
  test.each(cases)('one that %s: %s', async (_name, reason, behave) => {
    const receiver = await opened(openTcpReceiver(behave))
    const timeoutMs = reason === 'timeout' ? 300 : 5_000
    expect(await post(open(), `http://shop.test:${receiver.port}`, timeoutMs)).toEqual({
      kind: 'failed',
      reason,
      message: expect.any(String) as string,
    })
  })

  test('nobody listens', async () => {
    const receiver = await openTcpReceiver(() => undefined)
    await receiver.close()
    expect(await post(open(), `http://shop.test:${receiver.port}`)).toMatchObject({ reason: 'connection' })
  })

  test('a gigabyte takes no more memory than what is read of it', async () => {
    const receiver = await opened(openTcpReceiver(GIGABYTE))
    const outside = open()
    const before = process.memoryUsage().rss
    for (let round = 0; round < 20; round += 1)
      expect(await post(outside, `http://shop.test:${receiver.port}`, 5_000)).toMatchObject({
        reason: 'too_large',
      })
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })

  test('a call that is given up ends at once', async () => {
    const receiver = await opened(openTcpReceiver(() => undefined))
    const controller = new AbortController()
    const call = open().post({
      url: `http://shop.test:${receiver.port}`,
      body: '',
      secret: SECRET,
      signal: controller.signal,
    })
    controller.abort()
    expect(await call).toMatchObject({ kind: 'failed', reason: 'aborted' })
  })

  test('the next call after a failure works', async () => {
    let calls = 0
    const receiver = await opened(
      openTcpReceiver((socket) => {
        calls += 1
        if (calls > 1) writes('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')(socket)
      }),
    )
    const outside = open()
    const url = `http://shop.test:${receiver.port}`
    expect(await post(outside, url)).toMatchObject({ reason: 'timeout' })
    expect(await post(outside, url)).toMatchObject({ kind: 'answered', status: 200 })
  })
})

describe('TLS', () => {
  const pem = async (name: string) => {
    const notAfterDate = new Date(Date.now() + 86_400_000)
    return generate([{ name: 'commonName', value: name }], {
      notAfterDate,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
    })
  }
  const openTls = async (certifiedName: string) => {
    const { private: key, cert } = await pem(certifiedName)
    const names: unknown[] = []
    const server = createServer({ key, cert }, (request, response) => {
      names.push('servername' in request.socket && request.socket.servername, request.headers.host)
      response.end('ok')
    })
    const receiver = await opened(openReceiver(server))
    return { port: receiver.port, cert, names }
  }

  test('the name is kept for the certificate and the Host although the address is pinned', async () => {
    const { port, cert, names } = await openTls('shop.test')
    const outside = open({ trustedCertificates: cert })
    expect(await post(outside, `https://shop.test:${port}`, 2_000)).toMatchObject({
      kind: 'answered',
      body: 'ok',
    })
    expect(names).toEqual(['shop.test', `shop.test:${port}`])
  })

  test('a certificate that nobody vouches for fails the call', async () => {
    const { port } = await openTls('shop.test')
    expect(await post(open(), `https://shop.test:${port}`, 2_000)).toMatchObject({ reason: 'tls' })
  })

  test('a certificate of another name fails the call', async () => {
    const { port, cert } = await openTls('other.test')
    const outside = open({ trustedCertificates: cert })
    expect(await post(outside, `https://shop.test:${port}`, 2_000)).toMatchObject({ reason: 'tls' })
  })

  test('a receiver that speaks no TLS fails the call', async () => {
    const receiver = await opened(openTcpReceiver(writes('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect(await post(open(), `https://shop.test:${receiver.port}`, 2_000)).toMatchObject({ reason: 'tls' })
  })
})

describe('addresses', () => {
  const unreachable = (options: Partial<OutsideOptions> = {}) => open({ allowedNetworks: [], ...options })

  test.each([
    ['loopback', 'http://127.0.0.1/'],
    ['loopback as one number', 'http://2130706433/'],
    ['loopback in hex', 'http://0x7f.1/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['mapped loopback', 'http://[::ffff:127.0.0.1]/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['private', 'https://10.0.0.7/'],
  ])('%s is refused without a lookup', async (_name, url) => {
    const resolve = (): Promise<never> => Promise.reject(new Error('nothing to look up'))
    expect(await post(unreachable({ resolve }), url)).toMatchObject({ reason: 'refused_address' })
  })

  test.each([
    ['private', [PRIVATE]],
    ['metadata', ['169.254.169.254']],
    ['IPv6 loopback', ['::1']],
    ['public and private', ['93.184.216.34', PRIVATE]],
  ])('a name with a %s address is refused, and nothing is connected', async (_name, addresses) => {
    expect(await post(unreachable({ resolve: async () => addresses }), 'http://shop.test/')).toMatchObject({
      reason: 'refused_address',
    })
  })

  test('a name that changes its address after the check is connected to the checked one', async () => {
    const receiver = await opened(openHttpReceiver((_request, response) => response.end('checked')))
    const answers = [LOOPBACK]
    const resolve = async () => [answers.shift() ?? PRIVATE]
    const outside = open({ resolve })
    const url = `http://shop.test:${receiver.port}`
    expect(await post(outside, url)).toMatchObject({ kind: 'answered', body: 'checked' })
    expect(answers).toEqual([])
    // The connection that is still open leads where it led; a new one is checked again.
    await receiver.close()
    expect(await post(outside, url)).toMatchObject({
      reason: expect.stringMatching(/refused_address|connection/) as string,
    })
    expect(await post(outside, url)).toMatchObject({ reason: 'refused_address' })
  })

  test('a name without address', async () => {
    const resolve = async (): Promise<readonly string[]> => []
    expect(await post(open({ resolve }), 'http://shop.test/')).toMatchObject({ reason: 'name_not_found' })
  })

  test('a name server that says no', async () => {
    const resolve = async (): Promise<readonly string[]> => {
      throw Object.assign(new Error('queryA ENOTFOUND shop.test'), { code: 'ENOTFOUND' })
    }
    expect(await post(open({ resolve }), 'http://shop.test/')).toMatchObject({ reason: 'name_not_found' })
  })

  test('a name server that never answers', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await post(open({ resolve }), 'http://shop.test/')).toMatchObject({ reason: 'timeout' })
  })

  test.each(['', 'shop', 'ftp://shop.test/', 'file:///etc/passwd', 'http://user:@shop.test/'])(
    'the address "%s" cannot be called',
    async (url) => {
      expect(await post(open(), url)).toMatchObject({ reason: 'invalid_url' })
    },
  )
})

test('calls that run when the client closes fail', async () => {
  const receiver = await opened(openTcpReceiver(() => undefined))
  const outside = open()
  const call = post(outside, `http://shop.test:${receiver.port}`, 5_000)
  await outside.close()
  expect(await call).toMatchObject({ kind: 'failed' })
})
