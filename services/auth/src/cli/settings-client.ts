/** What `merx settings` asks of the internal listener of core. */
import type { Environment } from '@merx/config/load-config'
import { compile } from '@merx/validation/compile'
import { openService } from './service-client.ts'

export interface SettingState {
  readonly name: string
  readonly value: unknown
  readonly default: unknown
}

export interface SettingsClient {
  list(organizationId: string, mode: 'test' | 'live'): Promise<readonly SettingState[]>
  /** Null gives a setting its default back. */
  change(
    organizationId: string,
    mode: 'test' | 'live',
    settings: Readonly<Record<string, unknown>>,
  ): Promise<readonly SettingState[]>
}

const PATH = '/internal/settings'

const parseList = compile<{ settings: readonly SettingState[] }>({
  type: 'object',
  required: ['settings'],
  properties: {
    settings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'value', 'default'],
        properties: { name: { type: 'string' }, value: {}, default: {} },
      },
    },
  },
})

const toStates = (answer: unknown): readonly SettingState[] => {
  const result = parseList(answer)
  if (!result.ok) throw new Error(`core answered what is no list: ${result.violations[0]?.pointer}`)
  return result.value.settings
}

/** Throws CliError when nothing says where core is; the calls throw one when it does not answer or refuses. */
export const openSettingsClient = (env: Environment): SettingsClient => {
  const core = openService('core', env)
  return {
    list: async (organizationId, mode) =>
      toStates(await core.get(PATH, { query: { organization_id: organizationId, mode } })),
    change: async (organizationId, mode, settings) =>
      toStates(await core.post(PATH, { organization_id: organizationId, mode, settings })),
  }
}
