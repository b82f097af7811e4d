import { isUnavailableCode, isUnavailableError } from './unavailable.ts'

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code })

it.each([
  ['connection failure', '08006'],
  ['no room on the disk', '53100'],
  ['out of memory', '53200'],
  ['too many connections', '53300'],
  ['cancelled, or too slow', '57014'],
  ['shutdown', '57P01'],
  ['starting', '57P03'],
  ['in use', '55000'],
  ['a lock not to be had', '55P03'],
  ['the disk does not read', '58030'],
  ['a replica that has not taken over', '25006'],
  ['nobody listens', 'ECONNREFUSED'],
  ['no such name now', 'EAI_AGAIN'],
  ['too many open files', 'EMFILE'],
])('%s may work later: %s', (_name, code) => {
  expect(isUnavailableCode(code)).toBe(true)
  expect(isUnavailableError(withCode(code))).toBe(true)
})

it.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
])('so may what pg says without a code: %s', (message) => {
  expect(isUnavailableError(new Error(message))).toBe(true)
})

it.each([
  ['a missing table', withCode('42P01')],
  ['a broken constraint', withCode('23505')],
  ['a bug', new TypeError('x is not a function')],
])('does not call %s unavailable', (_name, error) => {
  expect(isUnavailableError(error)).toBe(false)
})

it('ignores a code that is not a text', () => {
  expect(isUnavailableCode(53_300)).toBe(false)
  expect(isUnavailableCode(undefined)).toBe(false)
})
