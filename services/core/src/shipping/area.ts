import type { Area } from '../engine/area.ts'
import { shippingCategories } from './shipping-categories.ts'

export const shipping: Area = { resources: [shippingCategories] }
