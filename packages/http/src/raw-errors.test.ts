import { PassThrough } from 'node:stream'
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { answerClientError, type RawErrorCodes, type RawErrors } from './raw-errors.ts'

const metrics: RawErrorCodes = {
  encodeError: encodeMetrics,
  malformed: 'metrics_request_not_valid',
  headersTooLarge: 'metrics_headers_too_large',
  timeout: 'metrics_request_timeout',
}

const answer = (
  code: string | undefined,
  { isAnswering = false, codes, packet }: { isAnswering?: boolean; codes?: RawErrors; packet?: string } = {},
) => {
  const socket = new PassThrough()
  answerClientError(() => isAnswering, codes)(
    Object.assign(
      new Error('x'),
      code === undefined ? {} : { code },
      packet === undefined ? {} : { rawPacket: Buffer.from(packet) },
    ),
    socket,
  )
  const written: unknown = socket.read()
  return { socket, text: Buffer.isBuffer(written) ? written.toString() : '' }
}

describe('answerClientError', () => {
  it.each([
    ['HPE_INVALID_METHOD', 'HTTP/1.1 400 Bad Request'],
    ['HPE_HEADER_OVERFLOW', 'HTTP/1.1 431 Request Header Fields Too Large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'HTTP/1.1 408 Request Timeout'],
    [undefined, 'HTTP/1.1 400 Bad Request'],
  ])('answers %s with %s', (code, statusLine) => {
    const { text, socket } = answer(code)
    expect(text.split('\r\n')[0]).toBe(statusLine)
    expect(socket.writableEnded).toBe(true)
    socket.destroy()
  })

  it('states the length of the body it sends', () => {
    const { text } = answer('HPE_INVALID_METHOD')
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toMatchObject({ errors: [{ code: 'BAD_REQUEST', status: '400' }] })
  })

  it('words it in the dialect given', () => {
    const body = answer('ERR_HTTP_REQUEST_TIMEOUT', { codes: metrics }).text.split('\r\n\r\n')[1] ?? ''
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'REQUEST_TIMEOUT', status: 408 } })
  })

  it.each([
    ['POST /metrics/x HTTP/1.1\r\nHost: a\r\n', '/metrics/x'],
    ['FOO http://a/metrics HTTP/1.1\r\n', 'http://a/metrics'],
    [`GET /a${' '.repeat(5_000)}`, '/a'],
    ['aaaa', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('asks by the target which dialect to use: %p', (packet, expected) => {
    const targets: (string | undefined)[] = []
    const codes = (target: string | undefined): RawErrorCodes => {
      targets.push(target)
      return metrics
    }
    const { text } = answer('HPE_HEADER_OVERFLOW', packet === undefined ? { codes } : { codes, packet })
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { status: 431 } })
    expect(targets).toEqual([expected])
  })

  it.each([
    ['the caller is gone', 'ECONNRESET', false],
    ['an answer is under way', 'HPE_INVALID_CHUNK_SIZE', true],
  ])('says nothing when %s, and cuts the connection', (_name, code, isAnswering) => {
    const { text, socket } = answer(code, { isAnswering })
    expect(text).toBe('')
    expect(socket.destroyed).toBe(true)
  })
})
