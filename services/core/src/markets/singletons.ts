/** The rows behind GET /api/organization and /api/application: organization and application of the token. */
import { AppError } from '@merx/errors/app-error'
import type { SingletonSource } from '../engine/read/singleton-source.ts'
import type { FindApplication } from './find-application.ts'

const organization: SingletonSource = async ({ caller, reading: { run, scope } }) => {
  const text = 'SELECT * FROM environments WHERE id = $1'
  const [row] = await run({ text, values: [scope.environmentId], name: 'organization' })
  if (row === undefined) throw new AppError('record_not_found')
  return { id: caller.organization.id, row }
}

/** Type → its source. Applications are read from auth. */
export const singletonSources = (
  findApplication: FindApplication,
): Readonly<Record<string, SingletonSource>> => ({
  organizations: organization,
  applications: async ({ caller: { application } }) => ({
    id: application.id,
    row: await findApplication(application.id),
  }),
})
