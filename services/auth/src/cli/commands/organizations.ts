import {
  deleteOrganization,
  describeContents,
  requireDeletable,
  updateOrganization,
} from '../../provisioning/change-organization.ts'
import { createOrganization } from '../../provisioning/create-organization.ts'
import {
  listOrganizations,
  requireOrganization,
  requireOrganizationById,
} from '../../provisioning/find-records.ts'
import type { OrganizationRecord } from '../../provisioning/records.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { flatOrganization, presentOrganization } from '../present.ts'
import type { Session } from '../session.ts'

type OrganizationsCommand = ReturnType<RootCommand['command']>

const showOrganization = (cli: Cli, organization: OrganizationRecord): void =>
  cli.show(presentOrganization(organization), flatOrganization(organization))

const CORE_NOT_NOTIFIED = 'core was not notified (that needs CORE_INTERNAL_URL and SERVICE_KEY)'

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
        const input = { slug, name, isEnterprise: enterprise, region }
        const { id, isCoreNotified } = await createOrganization(input, session)
        showOrganization(cli, await requireOrganizationById(id, session.database))
        if (!session.isCoreNotified) cli.say(`${CORE_NOT_NOTIFIED}: it learns of it with the first token.`)
        else if (!isCoreNotified)
          cli.say('core was not notified (it does not answer): it learns of it with the first token.')
      }),
    )

  organizations
    .command('list')
    .description('List all organizations.')
    .addHelpText('after', examples('organizations list', 'organizations list --json'))
    .action(() =>
      cli.run(async ({ database }) => {
        const found = await listOrganizations(database)
        cli.list(
          found.map(presentOrganization),
          found.map(({ id, slug, name, isEnterprise, region, createdAt }) => ({
            ...{ id, slug, name, enterprise: isEnterprise, region, created_at: createdAt },
          })),
        )
      }),
    )

  organizations
    .command('show')
    .description('Show one organization.')
    .argument('<organization>', 'slug or id')
    .addHelpText('after', examples('organizations show my-shop'))
    .action((reference) =>
      cli.run(async ({ database }) => {
        showOrganization(cli, await requireOrganization(reference, database))
      }),
    )

  addOrganizationChanges(organizations, cli)
  addOrganizationEnd(organizations, cli)
}

const addOrganizationChanges = (organizations: OrganizationsCommand, cli: Cli): void => {
  organizations
    .command('update')
    .description('Change a name, a slug, a plan or a region. Tokens issued from then on say so.')
    .argument('<organization>', 'slug or id')
    .option('--name <name>', 'what people call it')
    .option('--slug <slug>', 'its host name: clients that know the old one stop working')
    .option('--enterprise', 'with the features of an enterprise plan')
    .option('--no-enterprise', 'without them')
    .option('--region <region>', 'region that its tokens name')
    .addHelpText(
      'after',
      examples(
        'organizations update my-shop --name "My new shop"',
        'organizations update my-shop --slug new-shop --yes',
        'organizations update my-shop --no-enterprise',
      ),
    )
    .action((reference, { name, slug, enterprise, region }) =>
      cli.run(async (session) => {
        if (name === undefined && slug === undefined && enterprise === undefined && region === undefined) {
          throw new CliError(
            'Say what to change: --name, --slug, --enterprise, --no-enterprise or --region.',
            EXIT.usage,
          )
        }
        const before = await requireOrganization(reference, session.database)
        if (slug !== undefined && slug !== before.slug)
          await cli.confirm(`Change the slug '${before.slug}' to '${slug}'? Its host name changes with it.`)
        const changes = {
          ...(name === undefined ? {} : { name }),
          ...(slug === undefined ? {} : { slug }),
          ...(enterprise === undefined ? {} : { isEnterprise: enterprise }),
          ...(region === undefined ? {} : { region }),
        }
        showOrganization(cli, await updateOrganization(before.id, changes, session))
        if (!session.isCoreNotified && (name ?? slug) !== undefined)
          cli.say(`${CORE_NOT_NOTIFIED}: it keeps the old name until this is repeated with both.`)
      }),
    )
}

const describeLoss = ({ users, roles, credentials }: { users: number; roles: number; credentials: number }) =>
  `${users} users, ${roles} roles and ${credentials} disabled credentials go with it, for ever; its audit log stays`

const addOrganizationEnd = (organizations: OrganizationsCommand, cli: Cli): void => {
  const end = async (reference: string, session: Session): Promise<void> => {
    const organization = await requireOrganization(reference, session.database)
    const contents = await describeContents(organization, session)
    requireDeletable(organization, contents)
    await cli.confirm(`Delete '${organization.slug}'? ${describeLoss(contents)}.`)
    showOrganization(cli, await deleteOrganization(organization.id, session))
  }
  organizations
    .command('delete')
    .description(
      'Delete an organization with its users, roles and credentials. Refused while a credential is enabled or core has records of it.',
    )
    .argument('<organization>', 'slug or id')
    .addHelpText('after', examples('organizations delete my-shop', 'organizations delete my-shop --yes'))
    .action((reference) => cli.run((session) => end(reference, session)))
}
