import { parseScope, scopePart } from './parse-scope.ts'

const refused = (text: string) => expect(() => parseScope(text))

describe('scope text', () => {
  it.each([undefined, '', '  '])('%j means market:all', (text) => {
    expect(parseScope(text)).toEqual({ text: 'market:all', isAllMarkets: true, references: [] })
  })

  it('of market:all alone is what it says', () => {
    expect(parseScope(' market:all')).toEqual({ text: ' market:all', isAllMarkets: true, references: [] })
  })

  it('is put together again part by part', () => {
    const text = 'store:code:mi:lan'
    expect(parseScope(text).references.map(scopePart)).toEqual([text])
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
    refused('market:id:a market:all').toThrow(
      "The scope 'market:all' stands alone; remove it or the other parts: market:id:a market:all.",
    )
  })

  it('refuses only separators', () => {
    refused(',;').toThrow(
      'The scope holds only separators; allowed: market:id:<id>, market:code:<code>, store:id:<id>, store:code:<code>, stock_location:id:<id>, stock_location:code:<code>, market:all.',
    )
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
    const longest = Array.from({ length: 7 }, (_, at) => `market:code:${String(at).repeat(255)}`).join(' ')
    const text = `${longest} market:code:${'a'.repeat(112)}`
    expect(text).toHaveLength(2_000)
    expect(parseScope(text).references).toHaveLength(8)
    refused(`${text}a`).toThrow('longer than 2000 characters')
  })
})
