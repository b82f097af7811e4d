/** What the console has, in the order in which it is shown. A screen that is new is a line here. */
import type { TokenInformation } from '../data/api.ts'
import { t } from '../language/text.ts'

export interface Place {
  readonly to:
    | '/'
    | '/orders'
    | '/products'
    | '/bulk'
    | '/webhooks'
    | '/records'
    | '/metrics'
    | '/developers'
    | '/settings'
  readonly label: string
  /** Pressed after `g`. */
  readonly key: string
}

const isAdministrator = (token: TokenInformation | undefined): boolean => token?.role?.kind === 'admin'

const mayRead = (token: TokenInformation | undefined, type: string): boolean =>
  token?.permissions?.[type]?.actions.includes('read') === true

const mayReadBulk = (token: TokenInformation | undefined): boolean =>
  mayRead(token, 'imports') || mayRead(token, 'exports')

/** @param token undefined until it is known what the user may do */
export const placesOf = (token: TokenInformation | undefined): readonly Place[] => [
  { to: '/', label: t('Home'), key: 'h' },
  { to: '/orders', label: t('Orders'), key: 'o' },
  { to: '/products', label: t('Products'), key: 'p' },
  ...(mayReadBulk(token) ? [{ to: '/bulk', label: t('Imports and exports'), key: 'i' } as const] : []),
  ...(mayRead(token, 'webhooks') ? [{ to: '/webhooks', label: t('Webhooks'), key: 'w' } as const] : []),
  { to: '/records', label: t('Records'), key: 'r' },
  { to: '/metrics', label: t('Metrics'), key: 'm' },
  { to: '/developers', label: t('Developers'), key: 'd' },
  ...(isAdministrator(token) ? [{ to: '/settings', label: t('Settings'), key: 's' } as const] : []),
]
