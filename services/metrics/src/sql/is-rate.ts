/** Tells rates from amounts, which are stored with other precision. */
import type { Attribute } from '../catalogue/attribute.ts'

/** Rates are fractions of one, kept with 8 digits after the point where amounts have 4 (tables/orders.sql). */
export const isRate = ({ path }: Attribute): boolean => path.endsWith('_rate')
