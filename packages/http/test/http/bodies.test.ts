import { subscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { eventually } from '@merx/testing/eventually'
import { inProcessClient, type InProcessResponse } from '@merx/testing/in-process-client'
import type { Express } from 'express'
import { formBody, jsonBody, jsonOrFormBody } from '../../src/json-body.ts'
import { listen } from '../../src/listen.ts'
import { requireMediaType } from '../../src/media-type.ts'
import { sendRaw, testApp, type RawAnswer } from './test-app.ts'

const codes = {
  limitBytes: 1_000,
  wrongType: 'unsupported_media_type',
  malformed: 'bad_request',
  tooLarge: 'payload_too_large',
} as const

const API = 'application/vnd.api+json'
const FORM = 'application/x-www-form-urlencoded'

const mount = (app: Express): void => {
  const bodies = {
    '/json': jsonBody({ ...codes, accept: [API, 'application/json'] }),
    '/form': formBody(codes),
    '/both': jsonOrFormBody({ ...codes, accept: ['application/json'] }),
    '/strict': requireMediaType([API], 'metrics_content_type_not_set'),
  }
  for (const [path, middleware] of Object.entries(bodies)) {
    app.all(path, middleware, (req, res) => {
      const body: unknown = req.body
      res.json({ isRead: body !== undefined, body })
    })
  }
}

const send = async (
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<InProcessResponse> => inProcessClient(testApp(mount).app).post(path, { body, headers })

/** Over a real connection: the in-process client writes a Buffer under a JSON type as JSON. */
const sendCompressed = async (body: Buffer, encoding: string) => {
  const server = await listen(testApp(mount).app, { host: '127.0.0.1', port: 0 })
  try {
    const headers = { ...type(API), 'Content-Encoding': encoding }
    const response = await fetch(`${server.url}/json`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers,
    })
    return { status: response.status, body: await response.json() }
  } finally {
    await server.close()
  }
}

/** Over a real connection: texts of the in-process client are always valid UTF-8. */
const sendBytes = async (path: string, contentType: string, bytes: Buffer): Promise<RawAnswer> => {
  const server = await listen(testApp(mount).app, { host: '127.0.0.1', port: 0 })
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${contentType}\r\n`
  const answer = await sendRaw(server.port, [`${head}Content-Length: ${bytes.length}\r\n\r\n`, bytes])
  await server.close()
  return answer
}

const type = (value: string) => ({ 'Content-Type': value })
const detailOf = ({ body }: InProcessResponse): string =>
  (body as { errors: { detail: string }[] }).errors[0]?.detail ?? ''

describe('JSON bodies', () => {
  it.each([
    ['an object', '{"a":[1,{"b":null}]}'],
    ['an array', '[1,2]'],
    ['a text', '"é"'],
    ['a number', '12.5'],
    ['null', 'null'],
  ])('are read: %s', async (_name, text) => {
    const { status, body } = await send('/json', text, type(API))
    expect(status).toBe(200)
    expect(body).toEqual({ isRead: true, body: JSON.parse(text) as unknown })
  })

  it.each([API, 'application/json', 'APPLICATION/JSON', `${API}; charset=utf-8`, `${API};charset="UTF-8"`])(
    'are read under %s',
    async (contentType) => {
      expect((await send('/json', '{"a":1}', type(contentType))).status).toBe(200)
    },
  )

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('are read compressed with %s', async (encoding, compress) => {
    const { status, body } = await sendCompressed(compress('{"a":1}'), encoding)
    expect(status).toBe(200)
    expect(body).toMatchObject({ body: { a: 1 } })
  })

  it('are read however they come: in pieces, chunked, larger than what a stream holds at once', async () => {
    const { app } = testApp((a) => {
      a.post('/large', jsonBody({ ...codes, limitBytes: 1_000_000, accept: [API] }), (req, res) => {
        res.json({ length: (req.body as string).length })
      })
    })
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    const head = `POST /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${API}\r\n`
    const text = JSON.stringify('é'.repeat(200_000))
    const whole = `${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    expect(await sendRaw(server.port, whole)).toMatchObject({ body: '{"length":200000}' })
    expect(await sendRaw(server.port, [head, 'Content-Length: 4\r\n\r', '\n"a', 'b', '"'])).toMatchObject({
      body: '{"length":2}',
    })
    const chunked = ['Transfer-Encoding: chunked\r\n\r\n', '2\r\n"a\r\n', '2\r\nb"\r\n', '0\r\n\r\n']
    expect(await sendRaw(server.port, [head, ...chunked])).toMatchObject({ body: '{"length":2}' })
    await server.close()
  })

  it('that are cut off end in no answer and no failure of ours', async () => {
    const { app, lines } = testApp(mount)
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    const socket = connect({ host: '127.0.0.1', port: server.port })
    const hasBegun = new Promise<void>((resolve) => subscribe('http.server.request.start', () => resolve()))
    socket.write(`POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: ${API}\r\nContent-Length: 50\r\n\r\n{"a":`)
    await hasBegun
    socket.destroy()
    await eventually(() => lines.some(({ msg }) => msg === 'request'))
    await server.close()
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({ path: '/json', is_aborted: true })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('are read by another reader where a route has one', async () => {
    const parse = (text: string): unknown => ({ read: JSON.parse(text) as unknown })
    const { app } = testApp((a) => {
      a.post('/read', jsonBody({ ...codes, accept: [API], parse }), (req, res) => res.json(req.body))
    })
    const client = inProcessClient(app)
    expect((await client.post('/read', { body: '[1]', headers: type(API) })).body).toEqual({ read: [1] })
    expect((await client.post('/read', { body: '[1', headers: type(API) })).status).toBe(400)
  })

  it('may begin with a byte order mark', async () => {
    expect((await send('/json', '\ufeff{"a":1}', type(API))).body).toMatchObject({ body: { a: 1 } })
  })

  it('may be absent', async () => {
    const { status, body } = await inProcessClient(testApp(mount).app).get('/json')
    expect(status).toBe(200)
    expect(body).toEqual({ isRead: false })
  })

  it('may be absent under a stated type', async () => {
    const { status, body } = await inProcessClient(testApp(mount).app).get('/json', { headers: type(API) })
    expect([status, body]).toEqual([200, { isRead: false }])
  })
})

describe('media types', () => {
  it.each([
    'text/plain',
    'application/xml',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'nonsense',
    '/',
  ])('other than allowed are refused with 415, naming both: %s', async (contentType) => {
    const response = await send('/json', '{"a":1}', type(contentType))
    expect(response.status).toBe(415)
    expect(detailOf(response)).toBe(`"${contentType}" is not supported; allowed: ${API}, application/json`)
    expect(response.body).toMatchObject({ errors: [{ source: { header: 'Content-Type' } }] })
  })

  it('other than allowed are refused also without a body', async () => {
    const { status } = await inProcessClient(testApp(mount).app).get('/json', { headers: type('text/plain') })
    expect(status).toBe(415)
  })

  it.each(['utf-16', 'iso-8859-1', 'latin1', 'nonsense'])(
    'with the charset %s are refused',
    async (charset) => {
      const response = await send('/json', '{"a":1}', type(`${API}; charset=${charset}`))
      expect(response.status).toBe(415)
      expect(detailOf(response)).toBe(`the charset "${charset}" is not supported; allowed: utf-8`)
    },
  )

  it('are required with a body', async () => {
    const response = await send('/json', Buffer.from('{"a":1}'), { 'Content-Type': '' })
    expect(response.status).toBe(415)
    expect(detailOf(response)).toMatch(/^(The Content-Type header is missing|"" is not supported); allowed: /)
  })

  it('are required without a body where a route insists', async () => {
    const client = inProcessClient(testApp(mount).app)
    expect((await client.post('/strict')).status).toBe(415)
    expect((await client.post('/strict', { headers: type(API) })).status).toBe(200)
  })

  it('quote at most 100 characters of what was sent', async () => {
    const response = await send('/json', '{}', type(`x/${'y'.repeat(3_000)}`))
    expect(detailOf(response).length).toBeLessThan(200)
  })

  it('with an unknown Content-Encoding are refused, naming the allowed ones', async () => {
    const response = await send('/json', '{}', { ...type(API), 'Content-Encoding': 'zstd' })
    expect(response.status).toBe(415)
    expect(detailOf(response)).toBe(
      'The Content-Encoding is not supported; allowed: gzip, deflate, br, identity',
    )
  })
})

describe('malformed bodies', () => {
  it.each([
    ['{"a":', 'The body is not valid JSON (it ends too early).'],
    ['{"a":1,}', 'The body is not valid JSON (position 7 (line 1 column 8)).'],
    ["{'a':1}", 'The body is not valid JSON (position 1 (line 1 column 2)).'],
    ['undefined', 'The body is not valid JSON.'],
    ['{"secret":hunter2}', 'The body is not valid JSON.'],
  ])('are refused with 400, without quoting them: %s', async (text, detail) => {
    const response = await send('/json', text, type(API))
    expect(response.status).toBe(400)
    expect(detailOf(response)).toBe(detail)
    expect(response.text).not.toContain('hunter2')
  })

  it('that are not what Content-Encoding says are refused', async () => {
    const response = await send('/json', '{"a":1}', { ...type(API), 'Content-Encoding': 'gzip' })
    expect(response.status).toBe(400)
    expect(detailOf(response)).toBe('The body could not be read.')
  })

  it.each([
    ['deep arrays', '['.repeat(33) + ']'.repeat(33)],
    ['deep objects', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
  ])('nested deeper than 32 levels are refused: %s', async (_name, text) => {
    const response = await send('/json', text, type(API))
    expect(response.status).toBe(400)
    expect(detailOf(response)).toContain('is nested deeper than 32 levels')
  })

  it('nested 32 levels deep are read', async () => {
    expect((await send('/json', '['.repeat(32) + ']'.repeat(32), type(API))).status).toBe(200)
  })

  it.each([
    ['a value', '{"a":{"b":["x\\u0000"]}}', '/a/b/0'],
    ['a key', '{"a":{"b\\u0000":1}}', '/a'],
  ])('with NUL in %s are refused, naming the place', async (_name, text, pointer) => {
    const response = await send('/json', text, type(API))
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ errors: [{ source: { pointer } }] })
    expect(detailOf(response)).toContain('NUL')
  })

  it('with a __proto__ key are refused', async () => {
    const response = await send('/json', '{"data":{"__proto__":{"isAdmin":true}}}', type(API))
    expect(response.status).toBe(400)
    expect(detailOf(response)).toBe('/data: the key "__proto__" is not allowed')
  })
})

const notUtf8 = [
  ['Latin-1', Buffer.from('M\u00fcller', 'latin1')],
  ['an overlong sequence', Buffer.from([0xc0, 0xaf])],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['a truncated sequence', Buffer.from([0xe2, 0x82])],
  ['UTF-16', Buffer.from('\ufeffa', 'utf16le')],
] as const

describe('bodies that are not valid UTF-8', () => {
  it.each(notUtf8)('are refused with 400 as JSON: %s', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), bytes, Buffer.from('"}')])
    const { status, body: answer } = await sendBytes('/json', API, body)
    expect(status).toBe(400)
    expect(answer).toContain('The body is not valid UTF-8.')
  })

  it.each(notUtf8)('are refused with 400 as a form: %s', async (_name, bytes) => {
    const { status, body } = await sendBytes('/form', FORM, Buffer.concat([Buffer.from('password='), bytes]))
    expect(status).toBe(400)
    expect(body).toContain('The body is not valid UTF-8.')
  })

  it.each(['%FC', '%C3', '%ED%A0%80', 'a%C0%AFb', '%C3a%A9'])(
    'are refused with 400 as a form whose escapes are not: %s',
    async (value) => {
      const response = await send('/form', `password=${value}`, type(FORM))
      expect(response.status).toBe(400)
      expect(detailOf(response)).toBe('The body is not valid UTF-8.')
    },
  )

  it('leave a percent sign alone that escapes nothing', async () => {
    const { body } = await send('/form', 'password=100%&b=%zz%C3%A9', type(FORM))
    expect(body).toMatchObject({ body: { password: '100%', b: '%zz\u00e9' } })
  })
})

describe('the body limit', () => {
  it('lets a body of exactly the limit through', async () => {
    expect((await send('/json', JSON.stringify('a'.repeat(998)), type(API))).status).toBe(200)
  })

  it('refuses one byte more with 413, naming the limit', async () => {
    const response = await send('/json', JSON.stringify('a'.repeat(999)), type(API))
    expect(response.status).toBe(413)
    expect(detailOf(response)).toBe('The body is larger than 1000 bytes.')
  })

  it('that announce more than is worth discarding are refused at once, and the connection ends', async () => {
    const server = await listen(testApp(mount).app, { host: '127.0.0.1', port: 0 })
    const head = `POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: ${API}\r\n`
    const answer = await sendRaw(server.port, `${head}Content-Length: 99999999999\r\n\r\n`)
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
    await server.close()
  })

  it('that never end are refused once more has come than is worth discarding', async () => {
    const server = await listen(testApp(mount).app, { host: '127.0.0.1', port: 0 })
    const head = `POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: ${API}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunk = `1000000\r\n${'a'.repeat(0x1000000)}\r\n`
    const answer = await sendRaw(server.port, `${head}${chunk}1000\r\n${'a'.repeat(0x1000)}\r\n`)
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
    await server.close()
  })

  it('counts after decompression', async () => {
    const bomb = gzipSync(JSON.stringify('a'.repeat(1_000_000)))
    expect(bomb.byteLength).toBeLessThan(2_000)
    expect((await sendCompressed(bomb, 'gzip')).status).toBe(413)
  })

  it('holds for forms', async () => {
    expect((await send('/form', `a=${'b'.repeat(1_000)}`, type(FORM))).status).toBe(413)
  })
})

describe('form bodies', () => {
  it('are read', async () => {
    const { body } = await send('/form', 'grant_type=password&scope=a+b&x=%C3%A9', type(FORM))
    expect(body).toMatchObject({ body: { grant_type: 'password', scope: 'a b', x: 'é' } })
  })

  it('show a repeated parameter as a list, so that it can be refused', async () => {
    expect((await send('/form', 'a=1&a=2', type(FORM))).body).toMatchObject({ body: { a: ['1', '2'] } })
  })

  it('do not nest', async () => {
    expect((await send('/form', 'a%5Bb%5D=1', type(FORM))).body).toMatchObject({ body: { 'a[b]': '1' } })
  })

  it('with more than 100 parameters are refused', async () => {
    const response = await send(
      '/form',
      Array.from({ length: 101 }, (_v, i) => `p${i}=`).join('&'),
      type(FORM),
    )
    expect(response.status).toBe(400)
    expect(detailOf(response)).toBe('The form has more than 100 parameters.')
  })

  it('hold no key that would reach a prototype', async () => {
    const response = await send('/form', 'a=1&__proto__=2', type(FORM))
    expect(response.status).toBe(400)
    expect(detailOf(response)).toBe('The body: the key "__proto__" is not allowed')
  })

  it.each(['a=%00', '%00=a'])('with NUL are refused: %s', async (form) => {
    expect((await send('/form', form, type(FORM))).status).toBe(400)
  })

  it('are not JSON bodies, and the other way around', async () => {
    expect((await send('/form', '{}', type('application/json'))).status).toBe(415)
    expect((await send('/json', 'a=1', type(FORM))).status).toBe(415)
  })

  it('are read like JSON where both are allowed', async () => {
    expect((await send('/both', 'a=1', type(FORM))).body).toMatchObject({ body: { a: '1' } })
    expect((await send('/both', '{"a":1}', type('application/json'))).body).toMatchObject({ body: { a: 1 } })
    const response = await send('/both', 'a', type('text/plain'))
    expect(detailOf(response)).toBe(`"text/plain" is not supported; allowed: application/json, ${FORM}`)
  })
})
