import { AppError } from '@merx/errors/app-error'
import { decodeFeedCursor, encodeFeedCursor } from './feed-cursor.ts'

const epoch = '0123456789abcdef0123456789abcdef'
const encoded = (text: string): string => Buffer.from(text).toString('base64url')

test.each([
  { epoch, transactionId: 0, position: 0 },
  { epoch, transactionId: 9_007_199_254_740_991, position: 12 },
])('a place survives the way out and back: %j', (place) => {
  expect(decodeFeedCursor(encodeFeedCursor(place))).toEqual(place)
})

test.each([
  ['words', 'nonsense'],
  ['empty', ''],
  ['a number', '42'],
  ['of another version', encoded(`2.${epoch}.1.1`)],
  ['before the beginning', encoded(`1.${epoch}.-1.1`)],
  ['of an epoch that is none', encoded('1.abc.1.1')],
  ['a good one with padding', `${encoded(`1.${epoch}.1.1`)}=`],
  ['a good one with a zero in front', encoded(`1.${epoch}.01.1`)],
  ['beyond what a number holds', encoded(`1.${epoch}.9999999999999999.1`)],
])('a cursor that is %s is refused, naming the parameter', (_case, cursor) => {
  const refused = (): unknown => {
    try {
      return decodeFeedCursor(cursor)
    } catch (error) {
      return error instanceof AppError ? { code: error.code, source: error.source } : error
    }
  }
  expect(refused()).toEqual({ code: 'bad_request', source: { parameter: 'after' } })
})
