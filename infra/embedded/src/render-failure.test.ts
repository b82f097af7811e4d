import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ConfigError } from '@merx/config/config-error'
import { OperatorError } from './operator-error.ts'
import { renderFailure } from './render-failure.ts'

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

  describe('is what the machine did, without a stack', () => {
    const failed = (act: () => void): unknown => {
      try {
        act()
      } catch (error) {
        return error
      }
      throw new Error('it did not fail')
    }

    it('when a file is where a folder belongs', () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'merx-failure-'))
      const file = path.join(folder, 'analytics')
      writeFileSync(file, '')
      const text = renderFailure(failed(() => mkdirSync(file)))
      expect(text).toContain(`Merx cannot go on: ${file}: a file is where a folder belongs (EEXIST).`)
      expect(text).not.toContain('    at ')
      rmSync(folder, { recursive: true })
    })

    it.each([
      [Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' }), 'no room left on the disk'],
      [Object.assign(new Error('mkdir'), { code: 'ENOENT', path: '/mnt/data' }), '/mnt/data: it is missing'],
      [Object.assign(new Error('open'), { code: 'EROFS' }), 'the file system is read-only'],
      [Object.assign(new Error('could not extend file'), { code: '53100' }), 'no room left on the disk'],
      [
        new Error('initdb ended with code 1:\ninitdb: error: could not write: No space left on device'),
        'no room',
      ],
      [new Error('migrating', { cause: Object.assign(new Error('w'), { code: 'ENOSPC' }) }), 'no room'],
      [new AggregateError([Object.assign(new Error('w'), { code: 'EDQUOT' })]), 'the disk quota is used up'],
    ])('as in %s', (error, words) => {
      const text = renderFailure(error)
      expect(text).toContain('Merx cannot go on: ')
      expect(text).toContain(words)
      expect(text).not.toContain('    at ')
    })
  })

  it('has the stack of an error of the database that is about its own permissions', () => {
    const error = Object.assign(new Error('permission denied for table skus'), { code: '42501' })
    expect(renderFailure(error)).toContain('on a defect')
  })

  it('has the stack of a defect', () => {
    expect(renderFailure(new TypeError('x is undefined'))).toMatch(
      /on a defect.*\nTypeError: x is undefined\n +at /s,
    )
  })
})
