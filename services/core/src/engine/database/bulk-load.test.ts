import { encodeCopyRow } from './bulk-load.ts'

test.each([
  ['text', ['a', ''], 'a\t\n'],
  [
    'what the format itself uses',
    ['tab\there', 'line\nend', 'back\\slash', 'return\r'],
    'tab\\there\tline\\nend\tback\\\\slash\treturn\\r\n',
  ],
  ['a text that looks like the end of the data', ['\\.'], '\\\\.\n'],
  ['a text that looks like NULL', ['\\N'], '\\\\N\n'],
  ['nothing', [null, undefined], '\\N\t\\N\n'],
  ['numbers and booleans', [1, -2.5, 9n, true, false], '1\t-2.5\t9\ttrue\tfalse\n'],
  ['instants', [new Date('2026-03-01T10:00:00.123Z')], '2026-03-01T10:00:00.123Z\n'],
  ['objects', [{ name: 'a\tb "c"' }, [1]], '{"name":"a\\\\tb \\\\"c\\\\""}\t[1]\n'],
])('encodes %s', (_case, row, expected) => {
  expect(encodeCopyRow(row)).toBe(expected)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
  expect(() => encodeCopyRow([value])).toThrow(RangeError)
})
