/** Tells sales channels, customers, integrations and webapps apart by their token. */
import type { Caller } from '@merx/access-token/caller'

/** Whether the caller is a sales channel, whatever it was granted. */
export const isSalesChannel = (caller: Caller): boolean => caller.application.kind === 'sales_channel'

/** Whether the token speaks for a customer. */
export const isCustomer = (caller: Caller): boolean => caller.owner?.type === 'Customer'
