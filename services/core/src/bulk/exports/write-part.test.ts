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
  const columns = ['code', 'on', 'metadata', 'none']
  const parts = [
    await csvPart([{ code: 'a,b', on: true, metadata: { x: '"' }, none: null }], columns, {
      isFirst: true,
      isLast: false,
    }),
    await csvPart([{ on: false, code: 'line\nend' }], columns, { isFirst: false, isLast: true }),
  ]
  expect(whole(parts)).toBe('code,on,metadata,none\n"a,b",true,"{""x"":""\\""""}",\n"line\nend",false,,\n')
})
