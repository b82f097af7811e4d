import { fromWireParams } from './clickhouse-params.ts'

const read = (sql: string, entries: Record<string, string>) =>
  fromWireParams(sql, new URLSearchParams({ query_id: 'q', ...entries }))

describe('parameters of a request', () => {
  it('are unescaped, and nothing else of the request counts', () => {
    expect(read('{a:String}', { param_a: "it's\\ta \\\\ tab\\n" })).toEqual({ a: "it's\ta \\ tab\n" })
  })

  it('are lists where the query says so', () => {
    expect(read('{ a : Array(String)}', { param_a: "['x', 'y\\'z','q''r','b\\\\']" })).toEqual({
      a: ['x', "y'z", "q'r", 'b\\'],
    })
    expect(read('{a:Array(UInt64)}', { param_a: '[1,-2.5,3e2]' })).toEqual({ a: [1, -2.5, 300] })
    expect(read('{a:Array(UInt64)}', { param_a: '[ ]' })).toEqual({ a: [] })
    expect(read('{a:String}', { param_a: '[1]' })).toEqual({ a: '[1]' })
  })

  it('refuse a list they cannot read', () => {
    for (const value of ['', '[', "['a", "['a';'b']", '[[1]]'])
      expect(() => read('{a:Array(String)}', { param_a: value })).toThrow('a list parameter cannot be read')
  })
})
