/** A setting of the writer's organization and mode, or what holds until it was given a value. */
import type { RequestScope } from '../access/request-scope.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { SETTING_DEFAULTS } from './organizations.ts'

export const readSetting = async (
  name: keyof typeof SETTING_DEFAULTS,
  { run, scope }: { readonly run: RunStatement; readonly scope: RequestScope },
): Promise<unknown> => {
  const text = 'SELECT settings -> $2 AS value FROM environments WHERE id = $1'
  const [row] = await run({ text, values: [scope.environmentId, name] })
  return row?.['value'] ?? SETTING_DEFAULTS[name]
}
