import { gunzipSync } from 'node:zlib'
import { csvPart, jsonPart } from './write-part.ts'

const whole = (parts: readonly Buffer[]): string => gunzipSync(Buffer.concat(parts)).toString()

test('parts of JSON are one list together, however many there are', async () => {
  const both = { isFirst: true, isLast: true }
  expect(JSON.parse(whole([await jsonPart([{ a: 1 }], both)]))).toEqual([{ a: 1 }])
  expect(JSON.parse(whole([await jsonPart([], both)]))).toEqual([])
  const parts = [
    await jsonPart([{ a: 1 }, { a: 2 }], { isFirst: true, isLast: false }),
    await jsonPart([{ a: 3 }], { isFirst: false, isLast: false }),
    await jsonPart([], { isFirst: false, isLast: true }),
  ]
  expect(JSON.parse(whole(parts))).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
})

test('parts of CSV have one header, the same columns, and JSON in cells of objects', async () => {
  const options = { columns: ['code', 'on', 'metadata', 'none'], escapesFormulas: true }
  const parts = [
    await csvPart([{ code: 'a,b', on: true, metadata: { x: '"' }, none: null }], options, {
      isFirst: true,
      isLast: false,
    }),
    await csvPart([{ on: false, code: 'line\nend' }], options, { isFirst: false, isLast: true }),
  ]
  expect(whole(parts)).toBe('code,on,metadata,none\n"a,b",true,"{""x"":""\\""""}",\n"line\nend",false,,\n')
})

test.each([
  [true, "name,phone,amount,rate\n'=1+1,'+39 02,-500,-0.5\n"],
  [false, 'name,phone,amount,rate\n=1+1,+39 02,-500,-0.5\n'],
])('texts that begin like a formula are escaped: %s; numbers stay numbers', async (escapesFormulas, file) => {
  const options = { columns: ['name', 'phone', 'amount', 'rate'], escapesFormulas }
  const record = { name: '=1+1', phone: '+39 02', amount: -500, rate: -0.5 }
  expect(whole([await csvPart([record], options, { isFirst: true, isLast: true })])).toBe(file)
})
