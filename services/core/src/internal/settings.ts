/** Internal endpoints for operators (`merx settings`): the settings of an environment, and giving them other values. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { Queryable } from '../engine/database/database.ts'
import { SETTING_DEFAULTS } from '../markets/organizations.ts'
import type { EnvironmentName, SettingsRequest } from './request-schemas.ts'

export interface SettingState {
  readonly name: string
  readonly value: unknown
  readonly default: unknown
}

const NUMBER_MAX = 1_000_000
const TEXT_MAX = 1_000

const defaults: Readonly<Record<string, unknown>> = SETTING_DEFAULTS

/** Throws AppError `record_not_found` when core does not know the environment. */
export const listSettings = async (
  database: Queryable,
  { organization_id: organizationId, mode }: EnvironmentName,
): Promise<readonly SettingState[]> => {
  const [row] = await database.query<{ settings: Readonly<Record<string, unknown>> }>(
    'SELECT settings FROM environments WHERE organization_id = $1 AND mode = $2',
    [organizationId, mode],
  )
  if (row === undefined) throw noEnvironment(organizationId, mode)
  return Object.entries(defaults).map(([name, byDefault]) => ({
    name,
    value: row.settings[name] ?? byDefault,
    default: byDefault,
  }))
}

/** Null gives a setting its default back. Throws AppErrors `validation_error`, one for each that is unknown or has a wrong value. */
export const changeSettings = async (
  database: Queryable,
  { organization_id: organizationId, mode, settings }: SettingsRequest,
): Promise<readonly SettingState[]> => {
  const problems = Object.entries(settings).flatMap(([name, value]) => problemsOf(name, value))
  if (problems.length > 0)
    throw new AppErrors(problems.map((detail) => new AppError('validation_error', { detail })))
  const reset = Object.keys(settings).filter((name) => settings[name] === null)
  const changed = await database.query(
    `UPDATE environments SET settings = (settings || $3) - $4::text[]
     WHERE organization_id = $1 AND mode = $2 RETURNING id`,
    [organizationId, mode, settings, reset],
  )
  if (changed.length === 0) throw noEnvironment(organizationId, mode)
  return listSettings(database, { organization_id: organizationId, mode })
}

const noEnvironment = (organizationId: string, mode: string): AppError =>
  new AppError('record_not_found', {
    detail: `Core does not know the ${mode} environment of '${organizationId}' yet: it learns of it with the first token.`,
  })

const problemsOf = (name: string, value: unknown): readonly string[] => {
  if (!Object.hasOwn(defaults, name))
    return [`There is no setting "${name}"; there are ${Object.keys(defaults).join(', ')}.`]
  const wanted = value === null ? undefined : wantedOf(defaults[name], value)
  return wanted === undefined ? [] : [`${name} must be ${wanted}.`]
}

/** Of the kind that the default has; undefined when the value is. */
const wantedOf = (byDefault: unknown, value: unknown): string | undefined => {
  if (typeof byDefault === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false'
  if (typeof byDefault === 'number') {
    const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= NUMBER_MAX
    return isCount ? undefined : `a whole number from 0 to ${NUMBER_MAX.toLocaleString('en')}`
  }
  if (byDefault === null)
    return typeof value === 'string' && value.length <= TEXT_MAX
      ? undefined
      : `a text of at most ${TEXT_MAX.toLocaleString('en')} characters`
  return typeof value === 'object' && !Array.isArray(value) ? undefined : 'a JSON object'
}
