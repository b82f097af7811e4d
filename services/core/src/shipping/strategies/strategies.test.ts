import fc from 'fast-check'
import { STRATEGIES } from '../../inventory/inventory-models.ts'
import type { Demand, Place, Plan } from './plan.ts'
import { planShipments, strategies } from './strategies.ts'

const [MILANO, ROMA] = [1, 2]
const [SHIRT, HAT, SOFA, EBOOK] = [7, 8, 9, 10]

const demand = (line: number, sku: number, quantity: number, more: Partial<Demand> = {}): Demand => ({
  line,
  sku,
  quantity,
  category: sku === SOFA ? 2 : 1,
  isTracked: true,
  isShipped: sku !== EBOOK,
  ...more,
})

const place = (location: number, available: Readonly<Record<number, number>>): Place => ({
  location,
  available: new Map(Object.entries(available).map(([sku, units]) => [Number(sku), units])),
})

/** `location/category: line×quantity`, with the origin of what is transferred. */
const shown = ({ shipments, unshipped, short }: Plan): readonly string[] => [
  ...shipments.map(
    ({ location, category, stockLines, transfers }) =>
      `${location}/${category ?? '-'}: ${[
        ...stockLines.map(({ line, quantity }) => `${line}×${quantity}`),
        ...transfers.map(({ line, quantity, origin }) => `${line}×${quantity} from ${origin}`),
      ].join(', ')}`,
  ),
  ...unshipped.map(({ line, quantity, origin }) => `not shipped: ${line}×${quantity} of ${origin}`),
  ...short.map(({ line, quantity }) => `short: ${line}×${quantity}`),
]

const shirtAndSofa = [demand(1, SHIRT, 3), demand(2, SOFA, 1)]
const bothInBoth = [place(MILANO, { [SHIRT]: 5, [SOFA]: 5 }), place(ROMA, { [SHIRT]: 5, [SOFA]: 5 })]
const someShirts = [place(MILANO, { [SHIRT]: 2 }), place(ROMA, { [SHIRT]: 5, [SOFA]: 5 })]
const untracked = [demand(1, SHIRT, 900, { isTracked: false })]

describe.each<[string, readonly Demand[], readonly Place[], Readonly<Record<string, readonly string[]>>]>([
  [
    'everything at the primary',
    shirtAndSofa,
    bothInBoth,
    {
      no_split: ['1/-: 1×3, 2×1'],
      split_shipments: ['1/1: 1×3', '1/2: 2×1'],
      split_by_line_items: ['1/1: 1×3', '1/2: 2×1'],
      ship_from_primary: ['1/1: 1×3', '1/2: 2×1'],
      ship_from_first_available_or_primary: ['1/1: 1×3', '1/2: 2×1'],
    },
  ],
  [
    'too little at the primary',
    shirtAndSofa,
    someShirts,
    {
      no_split: ['1/-: 1×2', 'short: 1×1', 'short: 2×1'],
      split_shipments: ['1/1: 1×2', '2/1: 1×1', '2/2: 2×1'],
      split_by_line_items: ['1/1: 1×2', '2/1: 1×1', '2/2: 2×1'],
      ship_from_primary: ['1/1: 1×2, 1×1 from 2', '1/2: 2×1 from 2'],
      ship_from_first_available_or_primary: ['2/1: 1×3', '2/2: 2×1'],
    },
  ],
  [
    'everything at no place alone',
    [demand(1, SHIRT, 6), demand(2, HAT, 1)],
    [place(MILANO, { [SHIRT]: 5, [HAT]: 1 }), place(ROMA, { [SHIRT]: 5 })],
    {
      no_split: ['1/-: 1×5, 2×1', 'short: 1×1'],
      split_shipments: ['1/1: 1×5, 2×1', '2/1: 1×1'],
      split_by_line_items: ['1/1: 1×5', '1/1: 2×1', '2/1: 1×1'],
      ship_from_primary: ['1/1: 1×5, 2×1, 1×1 from 2'],
      ship_from_first_available_or_primary: ['1/1: 1×5, 2×1, 1×1 from 2'],
    },
  ],
  [
    'two lines of one SKU',
    [demand(2, SHIRT, 4), demand(1, SHIRT, 4)],
    someShirts,
    {
      no_split: ['1/-: 1×2', 'short: 1×2', 'short: 2×4'],
      split_shipments: ['1/1: 1×2', '2/1: 1×2, 2×3', 'short: 2×1'],
      split_by_line_items: ['1/1: 1×2', '2/1: 1×2', '2/1: 2×3', 'short: 2×1'],
      ship_from_primary: ['1/1: 1×2, 1×2 from 2, 2×3 from 2', 'short: 2×1'],
      ship_from_first_available_or_primary: ['1/1: 1×2, 1×2 from 2, 2×3 from 2', 'short: 2×1'],
    },
  ],
  [
    'a bundle of a shirt and a hat',
    [demand(1, SHIRT, 1, { isBundled: true }), demand(1, HAT, 1, { isBundled: true }), demand(2, HAT, 1)],
    [place(MILANO, { [SHIRT]: 1, [HAT]: 2 })],
    {
      no_split: ['1/-: 1×1, 1×1, 2×1'],
      split_shipments: ['1/1: 1×1, 1×1, 2×1'],
      split_by_line_items: ['1/1: 1×1, 1×1', '1/1: 2×1'],
      ship_from_primary: ['1/1: 1×1, 1×1, 2×1'],
      ship_from_first_available_or_primary: ['1/1: 1×1, 1×1, 2×1'],
    },
  ],
  [
    'a bundle after a hat',
    [demand(1, HAT, 1), demand(2, SHIRT, 1, { isBundled: true }), demand(2, HAT, 1, { isBundled: true })],
    [place(MILANO, { [SHIRT]: 1, [HAT]: 2 })],
    {
      no_split: ['1/-: 1×1, 2×1, 2×1'],
      split_shipments: ['1/1: 1×1, 2×1, 2×1'],
      split_by_line_items: ['1/1: 2×1, 2×1', '1/1: 1×1'],
      ship_from_primary: ['1/1: 1×1, 2×1, 2×1'],
      ship_from_first_available_or_primary: ['1/1: 1×1, 2×1, 2×1'],
    },
  ],
  [
    'two bundles',
    [demand(1, SHIRT, 1, { isBundled: true }), demand(2, SHIRT, 1, { isBundled: true })],
    [place(MILANO, { [SHIRT]: 2 })],
    Object.fromEntries(
      Object.keys(strategies).map((name) => [name, [`1/${name === 'no_split' ? '-' : '1'}: 1×1, 2×1`]]),
    ),
  ],
  [
    'a sofa before a shirt',
    [demand(1, SOFA, 1), demand(2, SHIRT, 1)],
    [place(MILANO, { [SHIRT]: 1, [SOFA]: 1 })],
    Object.fromEntries(
      Object.keys(strategies).map((name) => [
        name,
        name === 'no_split' ? ['1/-: 1×1, 2×1'] : ['1/1: 2×1', '1/2: 1×1'],
      ]),
    ),
  ],
  [
    'what is not tracked',
    untracked,
    [place(MILANO, {}), place(ROMA, { [SHIRT]: 1 })],
    Object.fromEntries(
      Object.keys(strategies).map((name) => [name, [name === 'no_split' ? '1/-: 1×900' : '1/1: 1×900']]),
    ),
  ],
  [
    'what is not shipped',
    [demand(1, EBOOK, 2)],
    [place(MILANO, { [EBOOK]: 2 })],
    Object.fromEntries(Object.keys(strategies).map((name) => [name, ['not shipped: 1×2 of 1']])),
  ],
  [
    'no place',
    untracked,
    [],
    Object.fromEntries(Object.keys(strategies).map((name) => [name, ['short: 1×900']])),
  ],
])('%s', (_case, demands, places, expected) => {
  test.each(Object.entries(expected))('with %s becomes %j', (strategy, plan) => {
    expect(shown(planShipments(strategy, demands, places))).toEqual(plan)
  })
})

test('a shipment of everything has no shipping category', () => {
  expect(planShipments('no_split', shirtAndSofa, bothInBoth).shipments[0]?.category).toBeNull()
})

test('a strategy that is not known splits nothing', () => {
  expect(planShipments('other', shirtAndSofa, bothInBoth)).toEqual(
    planShipments('no_split', shirtAndSofa, bothInBoth),
  )
})

/** Few SKUs, places and units, so that they meet often. */
const arbitrary = fc.record({
  strategy: fc.constantFrom(...Object.keys(strategies)),
  demands: fc.uniqueArray(
    fc.record({
      line: fc.integer({ min: 1, max: 6 }),
      sku: fc.integer({ min: 1, max: 4 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      category: fc.integer({ min: 1, max: 2 }),
      isTracked: fc.boolean(),
      isShipped: fc.boolean(),
      isBundled: fc.boolean(),
    }),
    { maxLength: 8, selector: ({ line, sku }) => `${line} ${sku}` },
  ),
  places: fc.uniqueArray(
    fc.record({
      location: fc.integer({ min: 1, max: 4 }),
      available: fc
        .dictionary(fc.constantFrom('1', '2', '3', '4'), fc.integer({ min: 0, max: 12 }))
        .map((units) => new Map(Object.entries(units).map(([sku, count]) => [Number(sku), count]))),
    }),
    { maxLength: 4, selector: ({ location }) => location },
  ),
})

const plannedUnits = ({ shipments, unshipped }: Plan) => [
  ...shipments.flatMap(({ stockLines, transfers }) => [...stockLines, ...transfers]),
  ...unshipped,
]

describe('every plan', () => {
  test('has each unit once, or reports it short', () => {
    fc.assert(
      fc.property(arbitrary, ({ strategy, demands, places }) => {
        const plan = planShipments(strategy, demands, places)
        for (const { line, sku, quantity, isTracked, isShipped } of demands) {
          const isIts = (each: { line: number; sku: number }) => each.line === line && each.sku === sku
          const sum = [...plannedUnits(plan), ...plan.short]
            .filter(isIts)
            .reduce((total, each) => total + each.quantity, 0)
          // what is neither tracked nor shipped needs neither stock nor a shipment
          const isFree = !isTracked && !isShipped && !plan.short.some(isIts)
          expect(sum).toBe(isFree ? 0 : quantity)
        }
      }),
    )
  })

  test('takes no more from a place than it has, and nothing from elsewhere', () => {
    fc.assert(
      fc.property(arbitrary, ({ strategy, demands, places }) => {
        const taken = Map.groupBy(
          plannedUnits(planShipments(strategy, demands, places)).filter(({ isTracked }) => isTracked),
          ({ origin, sku }) => `${origin} ${sku}`,
        )
        for (const units of taken.values()) {
          const [{ origin, sku } = { origin: 0, sku: 0 }] = units
          const there = places.find(({ location }) => location === origin)?.available.get(sku) ?? 0
          expect(units.reduce((sum, { quantity }) => sum + quantity, 0)).toBeLessThanOrEqual(there)
        }
      }),
    )
  })

  test('has no empty shipment, and no unit of zero', () => {
    fc.assert(
      fc.property(arbitrary, ({ strategy, demands, places }) => {
        const plan = planShipments(strategy, demands, places)
        expect(plan.shipments.every((each) => [...each.stockLines, ...each.transfers].length > 0)).toBe(true)
        expect(plannedUnits(plan).every(({ quantity }) => quantity > 0)).toBe(true)
      }),
    )
  })

  test('is the same whatever the order of the lines', () => {
    fc.assert(
      fc.property(arbitrary, fc.integer(), ({ strategy, demands, places }, seed) => {
        const shuffled = demands.toSorted(
          (a, b) => ((a.line * 31 + a.sku * seed) % 7) - ((b.line * 31 + b.sku * seed) % 7),
        )
        expect(planShipments(strategy, shuffled, places)).toEqual(planShipments(strategy, demands, places))
      }),
    )
  })

  test('of the first place that has everything needs no transfer', () => {
    fc.assert(
      fc.property(arbitrary, ({ demands, places }) => {
        const tracked = demands.map((each) => ({ ...each, isTracked: true }))
        const single = planShipments('ship_from_first_available_or_primary', tracked, places)
        const serves = places.some((each) => planShipments('no_split', tracked, [each]).short.length === 0)
        if (serves) expect(single.shipments.every(({ transfers }) => transfers.length === 0)).toBe(true)
      }),
    )
  })
})

test('inventory models name every strategy, and no other', () => {
  expect(Object.keys(strategies).toSorted()).toEqual(STRATEGIES.toSorted())
})
