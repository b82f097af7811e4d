import { parseScope } from './parse-scope.ts'

const refused = (text: string) => expect(() => parseScope(text))

describe('scope text', () => {
  it.each([undefined, '', '  '])('%j means market:all', (text) => {
    expect(parseScope(text)).toEqual({ text: 'market:all', isAllMarkets: true, references: [] })
  })

  it('names markets, stores and stock locations by id or code', () => {
    expect(parseScope('market:id:enWoxFMOnp store:code:milan stock_location:code:eu')).toEqual({
      text: 'market:id:enWoxFMOnp store:code:milan stock_location:code:eu',
      isAllMarkets: false,
      references: [
        { type: 'market', by: 'id', value: 'enWoxFMOnp' },
        { type: 'store', by: 'code', value: 'milan' },
        { type: 'stock_location', by: 'code', value: 'eu' },
      ],
    })
  })

  it.each(['market:code:a,market:code:b', 'market:code:a; market:code:b', ' market:code:a   market:code:b '])(
    'keeps %j as it is and reads two parts',
    (text) => {
      const scope = parseScope(text)
      expect(scope.text).toBe(text)
      expect(scope.references.map(({ value }) => value)).toEqual(['a', 'b'])
    },
  )

  it('reads a part that is repeated once', () => {
    expect(parseScope('market:code:a market:code:a').references).toHaveLength(1)
  })

  it('leaves colons and non-ASCII letters to the code', () => {
    expect(parseScope('market:code:eu:köln').references).toEqual([
      { type: 'market', by: 'code', value: 'eu:köln' },
    ])
  })

  it.each([
    'market',
    'market:',
    'market:1234',
    'market:id',
    'market:id:',
    'markets:id:a',
    'Market:id:a',
    'market:name:a',
    'provisioning-api',
    'constructor:id:a',
  ])('refuses %j naming the part and what is allowed', (part) => {
    refused(`market:code:ok ${part}`).toThrow(
      `'${part}' is malformed; allowed: market:id:<id>, market:code:<code>`,
    )
  })

  it('refuses market:all together with anything else', () => {
    refused('market:all market:id:a').toThrow("'market:all' stands alone")
  })

  it('refuses only separators', () => {
    refused(',;').toThrow('holds only separators')
  })

  it.each(['market:code:a\u0000', 'market:code:a\nmarket:code:b', 'market:code:\u0085'])(
    'refuses the control character in %j',
    (text) => {
      refused(text).toThrow('control character')
    },
  )

  it('refuses more than 20 parts', () => {
    const parts = Array.from({ length: 21 }, (_, index) => `market:code:m${index}`)
    expect(parseScope(parts.slice(1).join(' ')).references).toHaveLength(20)
    refused(parts.join(' ')).toThrow('has 21 parts; at most 20 are allowed')
  })

  it('refuses a code of more than 255 characters', () => {
    expect(parseScope(`market:code:${'a'.repeat(255)}`).references).toHaveLength(1)
    refused(`market:code:${'a'.repeat(256)}`).toThrow('longer than 255 characters')
  })

  it('refuses more than 2000 characters', () => {
    refused(`market:code:${'a'.repeat(2_000)}`).toThrow('longer than 2000 characters')
  })
})
