import type { Area } from '../engine/area.ts'
import { externalTaxCalculators } from './external-tax-calculators.ts'
import { manualTaxCalculators } from './manual-tax-calculators.ts'
import { taxCalculators } from './tax-calculators.ts'
import { taxCategories } from './tax-categories.ts'
import { taxRules } from './tax-rules.ts'
import { vendorTaxAccounts, vendorTaxCommands } from './vendor-accounts.ts'

export const taxes: Area = {
  resources: [
    taxCalculators,
    manualTaxCalculators,
    externalTaxCalculators,
    ...vendorTaxAccounts,
    taxRules,
    taxCategories,
  ],
  commands: vendorTaxCommands,
}
