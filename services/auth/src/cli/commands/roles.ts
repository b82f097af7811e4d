import { Option } from '@commander-js/extra-typings'
import type { Permission } from '@merx/access-token/caller'
import { deleteRole, updateRole } from '../../provisioning/change-role.ts'
import { createRole } from '../../provisioning/create-role.ts'
import {
  listRoles,
  requireOrganization,
  requireRole,
  requireRoleById,
} from '../../provisioning/find-records.ts'
import { collectPermission, parsePermissions } from '../arguments.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { flatRole, presentRole } from '../present.ts'

const ALLOW_HELP = 'resource type and actions, such as orders:read,update or skus:*; repeat it for more'
const STDIN_HELP = 'read permissions as JSON from standard input: [{"subject", "actions", "restrictions"}]'

const readPermissions = async (
  {
    allow,
    permissionsStdin,
  }: { allow?: readonly Permission[] | undefined; permissionsStdin?: true | undefined },
  { io }: Cli,
): Promise<readonly Permission[] | undefined> => {
  if (permissionsStdin !== true) return allow
  if (allow !== undefined) throw new CliError('Use either --allow or --permissions-stdin.', EXIT.usage)
  return parsePermissions(await io.readInput())
}

export const addRoleCommands = (program: RootCommand, cli: Cli): void => {
  const roles = program
    .command('roles')
    .description('What integrations and users may do: admin, read_only, or custom with permissions.')
    .addHelpText(
      'after',
      examples(
        'roles create my-shop --name Admin --kind admin',
        'roles create my-shop --name Desk --kind custom --allow orders:read,update --allow skus:read',
      ),
    )

  roles
    .command('create')
    .description('Create a role.')
    .argument('<organization>', 'slug or id')
    .requiredOption('--name <name>', 'unique in the organization')
    .addOption(
      new Option('--kind <kind>', 'what it permits')
        .choices(['admin', 'read_only', 'custom'] as const)
        .makeOptionMandatory(),
    )
    .option('--allow <permission>', ALLOW_HELP, collectPermission)
    .option('--permissions-stdin', STDIN_HELP)
    .addHelpText(
      'after',
      examples(
        'roles create my-shop --name "Read only" --kind read_only',
        'roles create my-shop --name Desk --kind custom --allow orders:read,update --allow "line_items:*"',
      ),
    )
    .action((reference, options) =>
      cli.run(async (session) => {
        const { name, kind } = options
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const permissions = (await readPermissions(options, cli)) ?? []
        const { id } = await createRole({ organizationId, name, kind, permissions }, session)
        const role = await requireRoleById(organizationId, id, session.database)
        cli.show(presentRole(role), flatRole(role))
      }),
    )

  roles
    .command('list')
    .description('List the roles of an organization.')
    .argument('<organization>', 'slug or id')
    .addHelpText('after', examples('roles list my-shop'))
    .action((reference) =>
      cli.run(async ({ database }) => {
        const { id: organizationId } = await requireOrganization(reference, database)
        const found = await listRoles(organizationId, database)
        cli.list(
          found.map(presentRole),
          found.map(({ id, name, kind, permissions }) => ({
            id,
            name,
            kind,
            permissions: permissions.length,
          })),
        )
      }),
    )

  roles
    .command('show')
    .description('Show one role with its permissions.')
    .argument('<organization>', 'slug or id')
    .argument('<role>', 'name or id')
    .addHelpText('after', examples('roles show my-shop Desk', 'roles show my-shop Desk --json'))
    .action((reference, name) =>
      cli.run(async ({ database }) => {
        const { id: organizationId } = await requireOrganization(reference, database)
        const role = await requireRole(organizationId, name, database)
        cli.show(presentRole(role), flatRole(role))
      }),
    )

  addRoleChanges(roles, cli)
}

type RolesCommand = ReturnType<RootCommand['command']>

const addRoleChanges = (roles: RolesCommand, cli: Cli): void => {
  roles
    .command('update')
    .description('Rename a role, or replace its permissions. It reaches living tokens within a second.')
    .argument('<organization>', 'slug or id')
    .argument('<role>', 'name or id')
    .option('--name <name>', 'the new name')
    .option('--allow <permission>', `${ALLOW_HELP}; these replace all there are`, collectPermission)
    .option('--permissions-stdin', STDIN_HELP)
    .addHelpText(
      'after',
      examples(
        'roles update my-shop Desk --allow orders:read',
        'roles update my-shop Desk --name "Order desk"',
      ),
    )
    .action((reference, roleReference, options) =>
      cli.run(async (session) => {
        const permissions = await readPermissions(options, cli)
        const { name } = options
        if (permissions === undefined && name === undefined)
          throw new CliError('Say what to change: --name, --allow or --permissions-stdin.', EXIT.usage)
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const { id: roleId } = await requireRole(organizationId, roleReference, session.database)
        const changes = {
          ...(name === undefined ? {} : { name }),
          ...(permissions === undefined ? {} : { permissions }),
        }
        const changed = await updateRole({ organizationId, roleId }, changes, session)
        cli.show(presentRole(changed), flatRole(changed))
      }),
    )

  roles
    .command('delete')
    .description('Delete a role that nobody has.')
    .argument('<organization>', 'slug or id')
    .argument('<role>', 'name or id')
    .addHelpText('after', examples('roles delete my-shop Desk --yes'))
    .action((reference, name) =>
      cli.run(async (session) => {
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const role = await requireRole(organizationId, name, session.database)
        await cli.confirm(`Delete the role '${role.name}'?`)
        await deleteRole({ organizationId, roleId: role.id }, session)
        cli.show(presentRole(role), flatRole(role))
      }),
    )
}
