/** How both public addresses answer what never became a request. */
import { rawErrors as auth } from '@merx/auth/app'
import { rawErrors as console } from '@merx/console/app'
import { rawErrors as core } from '@merx/core/app'
import { rawErrors as metrics } from '@merx/metrics/app'
import { createRawErrors } from './gateway.ts'

export const rawErrors = createRawErrors({ auth, core, metrics, console })
