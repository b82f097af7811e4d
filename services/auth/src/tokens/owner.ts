/** The owner of a token: a customer of the shop or a user of the organization. */
export type OwnerType = 'Customer' | 'User'

export interface Owner {
  readonly id: string
  readonly type: OwnerType
}
