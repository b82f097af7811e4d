/**
 * What the role may ask metrics about. Metrics shows everything to the roles that core has by itself; a custom role needs
 * the permission to read each type (services/metrics/src/request/readable-types.ts).
 */
import { useMay, useTokenInformation } from '../data/permissions.ts'
import type { MayRead } from './catalogue.ts'

export const useMayRead = (): MayRead => {
  const { data } = useTokenInformation()
  const may = useMay()
  return data?.role?.kind === 'custom' ? (type) => may('read', type) : () => data !== undefined
}
