import { toOriginForm } from './request-target.ts'

describe('toOriginForm', () => {
  it.each([
    ['/', '/'],
    ['/a%20b?c=d', '/a%20b?c=d'],
    ['//[', '//['],
    ['*', '*'],
    ['http://host/a?b', '/a?b'],
    ['https://host:8443', '/'],
    ['HTTP://HOST/A', '/A'],
  ])('of %s is %s', (target, path) => {
    expect(toOriginForm(target)).toBe(path)
  })

  it.each([
    'http://',
    'http://[bad/',
    'http://a:b:c/',
    'http://a:99999/x',
    'ftp://host/a',
    'host:80',
    'a',
    '',
  ])('refuses %s', (target) => {
    expect(toOriginForm(target)).toBeUndefined()
  })
})
