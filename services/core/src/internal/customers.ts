/** Internal endpoints for auth: finds customers and checks their passwords. */
import type { PublicIds } from '@merx/jsonapi/public-id'
import { passwordMarkOf } from '@merx/passwords/password-mark'
import { isPasswordOf } from '@merx/passwords/passwords'
import { normalizeEmail } from '@merx/validation/normalize'
import type { CredentialsRequest, EnvironmentName } from './request-schemas.ts'
import type { IdentifiedRows } from './resolve-scopes.ts'

export interface CustomerFacts {
  readonly id: string
  readonly email: string
  readonly customer_group_id: string | null
  /** Another password, another mark; of no password too. */
  readonly password_mark: string
  /** Unix seconds: access tokens of an earlier sign-in are over; absent when no password was set lately. */
  readonly password_set_at?: number
}

interface CustomerRow {
  readonly id: number
  readonly email: string
  readonly customer_group_id: number | null
  readonly password_hash: string | null
  readonly password_set_at: number | null
}

const CUSTOMERS = `
  SELECT customers.id, customers.email, customers.customer_group_id, customers.password_hash,
    ceil(extract(epoch FROM changed_passwords.changed_at))::float8 AS password_set_at
  FROM environments JOIN customers ON customers.environment_id = environments.id
  LEFT JOIN changed_passwords
    ON changed_passwords.environment_id = customers.environment_id AND changed_passwords.customer_id = customers.id
  WHERE environments.organization_id = $1 AND environments.mode = $2`

const toFacts = (row: CustomerRow, ids: PublicIds): CustomerFacts => ({
  id: ids.encode('customers', row.id),
  email: row.email,
  customer_group_id:
    row.customer_group_id === null ? null : ids.encode('customer_groups', row.customer_group_id),
  password_mark: passwordMarkOf(row.password_hash),
  ...(row.password_set_at === null ? {} : { password_set_at: row.password_set_at }),
})

/** The customer, or undefined; an unknown email takes as long as a wrong password. */
export const authenticateCustomer = async (
  { database, ids }: IdentifiedRows,
  { organization_id, mode, email, password, is_guessing = false }: CredentialsRequest,
): Promise<CustomerFacts | undefined> => {
  const [row] = await database.query<CustomerRow>(
    `${CUSTOMERS} AND lower(customers.email) IN ($3, lower($4)) ORDER BY lower(customers.email) = $3 DESC LIMIT 1`,
    [
      organization_id,
      mode,
      normalizeEmail(email),
      email, // as a release that did not normalize stored it
    ],
  )
  const isTheirs = await isPasswordOf(row?.password_hash, password, { isGuessing: is_guessing })
  return row !== undefined && isTheirs ? toFacts(row, ids) : undefined
}

export const findCustomer = async (
  { database, ids }: IdentifiedRows,
  { organization_id, mode }: EnvironmentName,
  id: string,
): Promise<CustomerFacts | undefined> => {
  const number = ids.decode('customers', id)
  if (number === undefined) return undefined
  const [row] = await database.query<CustomerRow>(`${CUSTOMERS} AND customers.id = $3`, [
    organization_id,
    mode,
    number,
  ])
  return row === undefined ? undefined : toFacts(row, ids)
}
