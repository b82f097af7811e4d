/** Adds a copy of an address to the address book of a customer. */
import type { RowOf } from '../engine/database/rows.ts'
import { identifier } from '../engine/sql/identifiers.ts'
import { persist } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { copyAddress } from './copy-address.ts'

/** Two addresses that agree in these are the same. */
const CONTENT = [
  'business',
  'first_name',
  'last_name',
  'company',
  'line_1',
  'line_2',
  'city',
  'zip_code',
  'state_code',
  'country_code',
  'phone',
  'email',
  'notes',
  'billing_info',
] as const satisfies readonly (keyof RowOf<'Address'>)[]

/** An address that the book has already is not added again. The customer is locked, so that two orders do not add the same. */
export const addToAddressBook = async (
  address: RowOf<'Address'>,
  customer: Pick<RowOf<'Customer'>, 'id' | 'email'>,
  step: WorkflowStep,
): Promise<void> => {
  const { run, registry, scope, actor } = step
  const { environmentId } = scope
  const lock = 'SELECT 1 FROM customers WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  await run({ text: lock, values: [environmentId, customer.id] })
  if (await isInBook(address.id, customer.id, step)) return
  const columns = {
    address_id: await copyAddress(address, step),
    customer_id: customer.id,
    customer_email: customer.email,
  }
  const definition = registry.require('customer_addresses')
  const write = { definition, before: undefined, columns, topics: ['customer_addresses.create'] }
  await persist([write], { run, registry, environmentId, actor })
}

const isInBook = async (
  address: number,
  customer: number,
  { run, scope }: WorkflowStep,
): Promise<boolean> => {
  const contentOf = (alias: string): string =>
    CONTENT.map((column) => `${alias}.${identifier(column)}`).join(', ')
  const text = `SELECT 1 FROM customer_addresses AS entry
    JOIN addresses AS kept ON kept.environment_id = entry.environment_id AND kept.id = entry.address_id
    JOIN addresses AS added ON added.environment_id = entry.environment_id AND added.id = $3
    WHERE entry.environment_id = $1 AND entry.customer_id = $2
      AND ROW(${contentOf('kept')}) IS NOT DISTINCT FROM ROW(${contentOf('added')}) LIMIT 1`
  return (await run({ text, values: [scope.environmentId, customer, address] })).length > 0
}
