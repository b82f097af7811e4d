import { differences } from './compare-totals.ts'

const EUROS = 'carts of enWoxFMOnp in EUR'

test.each([
  ['nothing, when both say the same', '2 adding up to 300', '2 adding up to 300', 0],
  ['a cent that is missing', '2 adding up to 300', '2 adding up to 299', 1],
  ['an order that is missing', '2 adding up to 300', '1 adding up to 300', 1],
  ['what core has alone', '2 adding up to 300', undefined, 1],
  ['what metrics has alone', undefined, '2 adding up to 300', 1],
])('tells of %s', (_what, core, metrics, expected) => {
  const totals = (text: string | undefined) => new Map(text === undefined ? [] : [[EUROS, text]])
  expect(differences(totals(core), totals(metrics))).toHaveLength(expected)
})
