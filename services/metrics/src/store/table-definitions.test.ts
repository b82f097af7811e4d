import { fingerprint, shapes } from './table-definitions.ts'

it('numbers a changed table, so that stores of the old shape are rebuilt', () => {
  const cure = `run npm run gen, which adds ${fingerprint} to services/metrics/tables/shapes.json`
  expect({ last: shapes.at(-1), cure }).toEqual({ last: fingerprint, cure })
})

it('never repeats a shape', () => {
  expect(new Set(shapes).size).toBe(shapes.length)
})
