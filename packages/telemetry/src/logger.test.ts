import { Writable } from 'node:stream'
import { createLogger, type LogLevel } from './logger.ts'
import { runWithContext } from './request-context.ts'

const record = (level: LogLevel = 'trace') => {
  const texts: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString())
      done()
    },
  })
  const log = createLogger({ service: 'try', level, destination })
  const lines = () => texts.map((text) => JSON.parse(text) as Record<string, unknown>)
  return { log, lines, all: () => texts.join('') }
}

describe('createLogger', () => {
  it('writes one JSON object a line with time, level, service and message', () => {
    const { log, lines, all } = record()
    log.info({ rows: 3 }, 'stored')
    log.warn('late')
    expect(lines()).toMatchObject([
      { level: 'info', service: 'try', rows: 3, msg: 'stored' },
      { level: 'warn', service: 'try', msg: 'late' },
    ])
    for (const { time } of lines()) expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(all().split('\n')).toHaveLength(3)
  })

  it('names neither process nor machine', () => {
    const { log, lines } = record()
    log.info('x')
    expect(Object.keys(lines()[0] ?? {}).sort()).toEqual(['level', 'msg', 'service', 'time'])
  })

  it('keeps to its level', () => {
    const { log, lines } = record('warn')
    log.info('quiet')
    log.error('loud')
    expect(lines()).toMatchObject([{ msg: 'loud' }])
  })

  it('adds the id of the request being served, also after awaiting', async () => {
    const { log, lines } = record()
    await runWithContext({ requestId: 'r-1' }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      log.info('inside')
    })
    log.info('outside')
    const [inside, outside] = lines()
    expect(inside).toMatchObject({ request_id: 'r-1' })
    expect(outside).not.toHaveProperty('request_id')
  })

  it('hides secrets in fields, nested fields, errors, messages and interpolated values', () => {
    const { log, all } = record()
    log.info({ password: 'hunter2', headers: { authorization: 'hunter2', cookie: 'hunter2' } }, 'fields')
    log.info({ body: { list: [{ refresh_token: 'hunter2' }] } }, 'nested')
    log.error({ err: Object.assign(new Error('x'), { client_secret: 'hunter2' }) }, 'error')
    log.info('postgres://u:hunter2@h')
    log.info('to %s and %j', 'postgres://u:hunter2@h', { token: 'hunter2' })
    log.error(new Error('postgres://u:hunter2@h'))
    log.error({ err: new Error('postgres://u:hunter2@h') })
    expect(all()).not.toContain('hunter2')
    expect(all().trim().split('\n')).toHaveLength(7)
  })

  it('hides secrets bound to child loggers, also to their children', () => {
    const { log, lines, all } = record()
    log
      .child({ token: 'hunter2', part: 'a' })
      .child({ deep: { secret: 'hunter2' }, step: 1 })
      .info('x')
    expect(all()).not.toContain('hunter2')
    expect(lines()[0]).toMatchObject({ part: 'a', step: 1, service: 'try' })
  })

  it('shows an error with stack and causes', () => {
    const { log, lines } = record()
    log.error({ err: new Error('outer', { cause: new TypeError('inner') }) }, 'failed')
    expect(lines()[0]).toMatchObject({
      msg: 'failed',
      err: { type: 'Error', message: 'outer', cause: { type: 'TypeError', message: 'inner' } },
    })
    expect((lines()[0]?.err as { stack: string }).stack).toContain('logger.test.ts')
  })

  it('takes the message of an error that comes alone', () => {
    const { log, lines } = record()
    log.error(new Error('alone'))
    log.error({ err: new Error('wrapped') })
    expect(lines()).toMatchObject([{ msg: 'alone', err: { message: 'alone' } }, { msg: 'wrapped' }])
  })

  it('writes a bigint', () => {
    const { log, lines } = record()
    log.info({ cursor: 12n }, 'x')
    expect(lines()[0]).toMatchObject({ cursor: '12' })
  })
})
