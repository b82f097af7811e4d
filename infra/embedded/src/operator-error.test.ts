import { ConfigError } from '@merx/config/config-error'
import { OperatorError, renderFailure } from './operator-error.ts'

describe('what is printed of a failure', () => {
  it('is text and remedy, without a stack, when the person can act on it', () => {
    expect(renderFailure(new OperatorError('the disk is full.', 'Make room.'))).toBe(
      '\nMerx cannot go on: the disk is full.\n  Make room.\n',
    )
  })

  it('is every wrong setting when a service refuses its own', () => {
    const text = renderFailure(new ConfigError(['A is "x"; allowed: y', 'B is "0"; allowed: 1 or more']))
    expect(text).toContain('Merx cannot go on: A is "x"; allowed: y; B is "0"; allowed: 1 or more')
    expect(text).toContain('docs/reference/configuration.md')
    expect(text).not.toContain('    at ')
  })

  it('has the stack of a defect', () => {
    expect(renderFailure(new TypeError('x is undefined'))).toMatch(
      /on a defect.*\nTypeError: x is undefined\n +at /s,
    )
  })
})
