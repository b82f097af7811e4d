import { AppError } from '@merx/errors/app-error'
import { isDatabaseUnavailable, toDatabaseUnavailable } from './database-errors.ts'

const withDriver = (cause: object) =>
  Object.assign(new Error('Raw query failed'), { code: 'P2010', meta: { driverAdapterError: { cause } } })
const withCode = (code: string) => Object.assign(new Error('failed'), { code })

describe('errors of the database', () => {
  it.each([
    ['a server nobody reaches', withDriver({ kind: 'DatabaseNotReachable' })],
    ['a replica that has not taken over', withDriver({ kind: 'postgres', originalCode: '25006' })],
    ['a shutdown', withDriver({ kind: 'postgres', originalCode: '57P01' })],
    ['a statement timeout', withDriver({ kind: 'postgres', originalCode: '57014' })],
    ['too many connections', withDriver({ kind: 'postgres', originalCode: '53300' })],
    ['a full disk', withDriver({ kind: 'postgres', originalCode: '53100' })],
    ['no connection for a transaction', withCode('P2028')],
    ['another transaction in the way', withCode('P2034')],
    ['another transaction in the way of SQL', withDriver({ kind: 'postgres', originalCode: '40P01' })],
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a broken pg connection', new Error('Connection terminated unexpectedly')],
    ['a full pool', new Error('timeout exceeded when trying to connect')],
  ])('%s means the database is unavailable', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(toDatabaseUnavailable(error)).toMatchObject({
      code: 'oauth_unavailable',
      status: 503,
      cause: error,
    })
  })

  it.each([
    ['a missing table', withDriver({ kind: 'TableDoesNotExist', originalCode: '42P01' })],
    ['a broken constraint', withCode('P2002')],
    ['a bug', new TypeError('x is not a function')],
    ['an answer already worded', new AppError('invalid_grant')],
    ['something thrown that is no error', 'text'],
  ])('%s stays what it is', (_name, error) => {
    expect(toDatabaseUnavailable(error)).toBe(error)
  })
})
