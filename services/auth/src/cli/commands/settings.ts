import { Option } from '@commander-js/extra-typings'
import { requireOrganization } from '../../provisioning/find-records.ts'
import { parseSetting } from '../arguments.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { openSettingsClient, type SettingState } from '../settings-client.ts'

const flat = ({ name, value, default: byDefault }: SettingState) => ({
  name,
  value: textOf(value),
  default: textOf(byDefault),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const ofMode = () =>
  new Option('--mode <mode>', 'of which environment').choices(['test', 'live'] as const).makeOptionMandatory()

export const addSettingCommands = (program: RootCommand, cli: Cli): void => {
  const settings = program
    .command('settings')
    .description('What an organization switches on and limits, in each of its environments.')
    .addHelpText(
      'after',
      examples(
        'settings list my-shop --mode live',
        'settings set my-shop --mode live api_rules_engine=true coupons_min_code_length=6',
      ),
    )

  settings
    .command('list')
    .description('All settings with their values and defaults.')
    .argument('<organization>', 'slug or id')
    .addOption(ofMode())
    .addHelpText(
      'after',
      examples('settings list my-shop --mode live', 'settings list my-shop --mode test --json'),
    )
    .action((reference, { mode }) =>
      cli.run(async ({ database }) => {
        const { id } = await requireOrganization(reference, database)
        const found = await openSettingsClient(cli.io.env).list(id, mode)
        cli.list(found, found.map(flat))
      }),
    )

  settings
    .command('set')
    .description('Give settings a value; `default` gives back what holds without one. All or none are set.')
    .argument('<organization>', 'slug or id')
    .argument('<setting...>', 'name=value; the value as JSON, or a text')
    .addOption(ofMode())
    .addHelpText(
      'after',
      examples(
        'settings set my-shop --mode live api_rules_engine=true',
        'settings set my-shop --mode test tax_calculators_errors=true coupons_min_code_length=default',
      ),
    )
    .action((reference, pairs, { mode }) =>
      cli.run(async ({ database }) => {
        const wanted = Object.fromEntries(pairs.map(parseSetting))
        const { id } = await requireOrganization(reference, database)
        const found = await openSettingsClient(cli.io.env).change(id, mode, wanted)
        const changed = found.filter(({ name }) => Object.hasOwn(wanted, name))
        cli.list(changed, changed.map(flat))
      }),
    )
}
