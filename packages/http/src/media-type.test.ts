import { parseMediaType } from './media-type.ts'

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json', undefined],
    ['Application/VND.api+JSON; Charset=UTF-8', 'application/vnd.api+json', 'utf-8'],
    ['text/html;charset="iso-8859-1"; q=1', 'text/html', 'iso-8859-1'],
    ['  application/json  ', 'application/json', undefined],
  ])('of %s', (header, essence, charset) => {
    expect(parseMediaType(header)).toEqual({ essence, charset })
  })

  it.each([undefined, '', 'json', '/', 'a/', '/b', 'application/json, text/html'])(
    'of %s is undefined',
    (header) => {
      expect(parseMediaType(header)).toBeUndefined()
    },
  )
})
