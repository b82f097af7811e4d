/** The demo's customers, each with an address, in the order they joined. Two have a password and an address book. */
import { hashPassword } from '@merx/passwords/passwords'
import type { PoolClient } from 'pg'
import { MARKETS } from './blueprint.ts'
import { copyRecords } from './copy-records.ts'
import type { CopyRecord } from './copy-records.ts'
import { COUNTRIES } from './people.ts'
import type { Country } from './people.ts'
import type { Random } from './random.ts'

/** Published in .merx/demo.json: nobody's secret. */
export const DEMO_PASSWORD = 'merx-demo-password'
export const DEMO_CUSTOMER = 'customer@example.com'
export const DEMO_CLUB_CUSTOMER = 'club@example.com'

export interface CustomersTarget {
  readonly client: PoolClient
  readonly environmentId: number
  readonly random: Random
  readonly openedAt: Date
  readonly now: Date
  readonly customers: number
}

interface Person {
  readonly country: Country
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly group: 'CLUB' | 'STAFF' | null
  readonly hasPassword: boolean
  readonly joinedAt: Date
}

export const loadCustomers = async (target: CustomersTarget): Promise<void> => {
  const { client, environmentId } = target
  const people = drawPeople(target)
  const groups = await client.query<{ id: number; code: string }>(
    'SELECT id, code FROM customer_groups WHERE environment_id = $1',
    [environmentId],
  )
  const hash = await hashPassword(DEMO_PASSWORD)
  const customerIds = await copyRecords(
    client,
    'customers',
    environmentId,
    people.map((person, index) => ({
      email: person.email,
      password_hash: person.hasPassword ? hash : null,
      customer_group_id: groups.rows.find(({ code }) => code === person.group)?.id ?? null,
      ...origin(index),
      created_at: person.joinedAt,
      updated_at: person.joinedAt,
    })),
  )
  const random = target.random.fork('addresses')
  const addressIds = await copyRecords(
    client,
    'addresses',
    environmentId,
    people.map((person, index) => ({ ...addressOf(random, person), ...origin(index) })),
  )
  await copyRecords(
    client,
    'customer_addresses',
    environmentId,
    people.flatMap(({ hasPassword, email, joinedAt }, index) =>
      hasPassword
        ? [
            {
              customer_id: customerIds[index],
              customer_email: email,
              address_id: addressIds[index],
              ...origin(index),
              created_at: joinedAt,
              updated_at: joinedAt,
            },
          ]
        : [],
    ),
  )
}

/** Customer and address of one person have the same reference. */
const origin = (index: number): CopyRecord => ({
  reference: `PERSON-${String(index + 1).padStart(6, '0')}`,
  reference_origin: 'demo',
})

/** "Müller" → "muller" */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()

const drawPeople = ({ random, customers, openedAt, now }: CustomersTarget): readonly Person[] => {
  const draw = random.fork('customers')
  const spanMs = now.getTime() - openedAt.getTime()
  const known: readonly Pick<Person, 'email' | 'group'>[] = [
    { email: DEMO_CUSTOMER, group: null },
    { email: DEMO_CLUB_CUSTOMER, group: 'CLUB' },
  ]
  return Array.from({ length: Math.max(customers, known.length) }, (_, index): Person => {
    const market = draw.weighted(MARKETS.map((each) => [each, each.weight]))
    const given = known[index]
    const country = countryOf(given === undefined ? draw.weighted(market.countries) : 'IT')
    const firstName = draw.pick(country.firstNames)
    const lastName = draw.pick(country.lastNames)
    const group = market.customerGroup === 'CLUB' ? 'CLUB' : draw.chance(0.005) ? 'STAFF' : null
    return {
      country,
      firstName,
      lastName,
      email: given?.email ?? `${plain(firstName)}.${plain(lastName)}.${index + 1}@example.com`,
      group: given === undefined ? group : given.group,
      hasPassword: given !== undefined,
      // More than half were there soon after the opening: the shop moved here with its customers.
      joinedAt: new Date(openedAt.getTime() + spanMs * Math.max(0, (2 * index) / customers - 1) * 0.98),
    }
  })
}

const countryOf = (code: string): Country => {
  const country = COUNTRIES[code]
  if (country === undefined) throw new Error(`the demo has no country ${code}`)
  return country
}

const addressOf = (random: Random, person: Person): CopyRecord => {
  const { country } = person
  const [city, state, zip, lat, lng] = random.pick(country.cities)
  const isLocated = random.chance(0.7)
  const isBusiness = random.chance(0.06)
  return {
    business: isBusiness,
    first_name: person.firstName,
    last_name: person.lastName,
    company: isBusiness ? `${person.lastName} Ltd` : null,
    line_1: `${random.pick(country.streets)} ${random.between(1, 180)}`,
    line_2: random.chance(0.12) ? `Floor ${random.between(1, 9)}` : null,
    city,
    state_code: state,
    zip_code: zip,
    country_code: country.code,
    phone: `${country.phone} 555 ${String(random.between(0, 9999)).padStart(4, '0')}`,
    email: person.email,
    lat: isLocated ? Number((lat + random.next() / 20).toFixed(6)) : null,
    lng: isLocated ? Number((lng + random.next() / 20).toFixed(6)) : null,
    is_geocoded: isLocated,
    created_at: person.joinedAt,
    updated_at: person.joinedAt,
  }
}
