import { availabilityOf, availableUnits } from './availability.ts'
import type { AvailabilityRow } from './availability.ts'

const row = (more: Partial<AvailabilityRow> = {}): AvailabilityRow => ({
  strategy: 'split_shipments',
  cutoff: 2,
  own_location: null,
  listed_locations: [
    { id: 11, location: 1, on_hold: false },
    { id: 12, location: 2, on_hold: true },
    { id: 13, location: 3, on_hold: false },
  ],
  stocked_items: [
    { id: 101, sku: 7, location: 1, available: 4 },
    { id: 102, sku: 7, location: 2, available: -1 },
    { id: 103, sku: 7, location: 3, available: 8 },
    { id: 109, sku: 7, location: 9, available: 16 },
  ],
  ...more,
})

it.each<[string, Partial<AvailabilityRow>, number | undefined, readonly number[], number]>([
  ['the best up to the cutoff', {}, undefined, [1, 2], 4],
  ['more of them with a higher cutoff', { cutoff: 3 }, undefined, [1, 2, 3], 12],
  ['the first with no_split', { strategy: 'no_split' }, undefined, [1], 4],
  ["the store's first, and one more", { own_location: 9 }, undefined, [9, 1, 2], 20],
  ["the store's that the market has too", { own_location: 3 }, undefined, [3, 1, 2], 12],
  ["the store's once", { own_location: 3, cutoff: 3 }, undefined, [3, 1, 2], 12],
  ['the store alone with no_split', { strategy: 'no_split', own_location: 9 }, undefined, [9], 16],
  ['the location in scope alone', {}, 3, [3], 8],
  ['no location that is not of the market', {}, 9, [], 0],
])('counts %s', (_case, more, only, locations, units) => {
  const availability = availabilityOf(row(more), only)
  expect(availability.places.map(({ location }) => location)).toEqual(locations)
  expect(availableUnits(availability, 7)).toBe(units)
})

it('names the place in the inventory model, which the location of a store may not have', () => {
  const { places } = availabilityOf(row({ own_location: 9 }), undefined)
  expect(places.map(({ inventoryLocation, isOnHold }) => [inventoryLocation, isOnHold])).toEqual([
    [null, false],
    [11, false],
    [12, true],
  ])
})

it('is stocked where a stock item is in any location of the market, counted or not', () => {
  const [, , third] = row().stocked_items
  const stocked = availabilityOf(row({ stocked_items: third === undefined ? [] : [third] }), undefined)
  expect([[...stocked.stocked], availableUnits(stocked, 7)]).toEqual([[7], 0])
  expect(availabilityOf(row({ stocked_items: [] }), undefined).stocked.size).toBe(0)
})

it('is not stocked where only a location of another market has a stock item', () => {
  const [, , , fourth] = row().stocked_items
  const elsewhere = availabilityOf(row({ stocked_items: fourth === undefined ? [] : [fourth] }), undefined)
  expect(elsewhere.stocked.size).toBe(0)
  expect(elsewhere.places.map(({ units }) => units.size)).toEqual([0, 0])
})
