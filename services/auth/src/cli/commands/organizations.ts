import { AppError } from '@merx/errors/app-error'
import { createOrganization, findOrganization } from '../../provisioning/create-organization.ts'
import { listOrganizations, requireOrganization } from '../../provisioning/find-records.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { presentOrganization } from '../present.ts'

export const addOrganizationCommands = (program: RootCommand, cli: Cli): void => {
  const organizations = program
    .command('organizations')
    .description('The shops of this installation, each with a test and a live environment.')
    .addHelpText(
      'after',
      examples('organizations create --slug my-shop --name "My shop"', 'organizations list'),
    )

  organizations
    .command('create')
    .description('Create an organization.')
    .requiredOption('--slug <slug>', 'its host name and unique name: lower-case letters, digits, hyphens')
    .requiredOption('--name <name>', 'what people call it')
    .option('--enterprise', 'with the features of an enterprise plan')
    .option('--region <region>', 'region that its tokens name', 'eu-west-1')
    .addHelpText(
      'after',
      examples(
        'organizations create --slug my-shop --name "My shop"',
        'organizations create --slug big --name "Big shop" --enterprise --json',
      ),
    )
    .action(({ slug, name, enterprise = false, region }) =>
      cli.run(async (session) => {
        if ((await findOrganization(slug, session)) !== undefined)
          throw new AppError('record_not_unique', { detail: `There is an organization '${slug}' already.` })
        await createOrganization({ slug, name, isEnterprise: enterprise, region }, session)
        const made = presentOrganization(await requireOrganization(slug, session.database))
        cli.show(made, made)
        if (!session.isCoreTold)
          cli.say(
            'core was not told (that needs CORE_INTERNAL_URL and SERVICE_KEY): it learns of it with the first token.',
          )
      }),
    )

  organizations
    .command('list')
    .description('List all organizations.')
    .addHelpText('after', examples('organizations list', 'organizations list --json'))
    .action(() =>
      cli.run(async ({ database }) => {
        const found = (await listOrganizations(database)).map(presentOrganization)
        cli.list(found, found)
      }),
    )

  organizations
    .command('show')
    .description('Show one organization.')
    .argument('<organization>', 'slug or id')
    .addHelpText('after', examples('organizations show my-shop'))
    .action((reference) =>
      cli.run(async ({ database }) => {
        const found = presentOrganization(await requireOrganization(reference, database))
        cli.show(found, found)
      }),
    )
}
