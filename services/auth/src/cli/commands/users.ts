import { randomBytes } from 'node:crypto'
import { deleteUser, disableUser, enableUser, updateUser } from '../../provisioning/change-user.ts'
import { createUser } from '../../provisioning/create-user.ts'
import { listUsers, requireOrganization, requireRole, requireUser } from '../../provisioning/find-records.ts'
import type { UserRecord } from '../../provisioning/records.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { flatUser, presentUser } from '../present.ts'

interface PasswordOptions {
  readonly passwordStdin?: true | undefined
  readonly generatePassword?: true | undefined
}

const GENERATED_BYTES = 18

/** Never an argument: other accounts of the machine can read those. */
const readPassword = async (
  { passwordStdin, generatePassword }: PasswordOptions,
  { io }: Cli,
): Promise<{ password: string; isShown: boolean }> => {
  if (passwordStdin === true && generatePassword === true)
    throw new CliError('Use either --password-stdin or --generate-password.', EXIT.usage)
  if (generatePassword === true)
    return { password: randomBytes(GENERATED_BYTES).toString('base64url'), isShown: true }
  if (passwordStdin === true) return { password: await io.readInput(), isShown: false }
  if (!io.isInteractive)
    throw new CliError(
      'There is no terminal to ask for the password on: use --password-stdin or --generate-password.',
      EXIT.usage,
    )
  const password = await io.askHidden('Password: ')
  if ((await io.askHidden('Again: ')) !== password)
    throw new CliError('The two passwords differ; nothing was changed.')
  return { password, isShown: false }
}

const showUser = (cli: Cli, user: UserRecord, password?: string): void => {
  const secret = password === undefined ? {} : { password }
  cli.show({ ...presentUser(user), ...secret }, { ...flatUser(user), ...secret })
  if (password !== undefined) cli.say('The password is shown this once and kept nowhere.')
}

export const addUserCommands = (program: RootCommand, cli: Cli): void => {
  const users = program
    .command('users')
    .description('People of an organization, who sign in to its webapps and act there with their role.')
    .addHelpText(
      'after',
      examples(
        'users create my-shop --email ann@example.com --role Admin --generate-password',
        'users list my-shop',
      ),
    )

  users
    .command('create')
    .description('Create a user; asks for the password.')
    .argument('<organization>', 'slug or id')
    .requiredOption('--email <email>', 'what the user signs in with')
    .requiredOption('--role <role>', 'name or id of a role of the organization')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--time-zone <zone>', 'IANA name', 'UTC')
    .option('--owner', 'the owner of the organization')
    .option('--password-stdin', 'read the password from standard input')
    .option('--generate-password', 'make one and show it once')
    .addHelpText(
      'after',
      examples(
        'users create my-shop --email ann@example.com --role Admin',
        'users create my-shop --email bob@example.com --role "Read only" --generate-password --json',
      ),
    )
    .action((reference, options) =>
      cli.run(async (session) => {
        const { email, firstName, lastName, timeZone, owner = false } = options
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const { id: roleId } = await requireRole(organizationId, options.role, session.database)
        const { password, isShown } = await readPassword(options, cli)
        const names = {
          ...(firstName === undefined ? {} : { firstName }),
          ...(lastName === undefined ? {} : { lastName }),
        }
        await createUser(
          { organizationId, email, password, roleId, timeZone, isOwner: owner, ...names },
          session,
        )
        const user = await requireUser(organizationId, email, session.database)
        showUser(cli, user, isShown ? password : undefined)
      }),
    )

  addUserViews(users, cli)
  addUserChanges(users, cli)
  addUserSwitches(users, cli)
}

type UsersCommand = ReturnType<RootCommand['command']>

const addUserViews = (users: UsersCommand, cli: Cli): void => {
  users
    .command('list')
    .description('List the users of an organization.')
    .argument('<organization>', 'slug or id')
    .addHelpText('after', examples('users list my-shop'))
    .action((reference) =>
      cli.run(async ({ database }) => {
        const { id } = await requireOrganization(reference, database)
        const found = await listUsers(id, database)
        cli.list(
          found.map(presentUser),
          found.map(({ id: userId, email, role, isOwner, disabledAt }) => ({
            id: userId,
            email,
            role: role.name,
            owner: isOwner,
            disabled_at: disabledAt,
          })),
        )
      }),
    )

  users
    .command('show')
    .description('Show one user.')
    .argument('<organization>', 'slug or id')
    .argument('<user>', 'email or id')
    .addHelpText('after', examples('users show my-shop ann@example.com'))
    .action((reference, user) =>
      cli.run(async ({ database }) => {
        const { id } = await requireOrganization(reference, database)
        showUser(cli, await requireUser(id, user, database))
      }),
    )
}

const addUserChanges = (users: UsersCommand, cli: Cli): void => {
  users
    .command('update')
    .description(
      'Change a role, an email, a name, a time zone or a password. A new role also acts through tokens that live; a new password ends them.',
    )
    .argument('<organization>', 'slug or id')
    .argument('<user>', 'email or id')
    .option('--email <email>', 'what the user signs in with')
    .option('--role <role>', 'name or id of a role of the organization')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--time-zone <zone>', 'IANA name')
    .option('--password', 'ask for a new password')
    .option('--password-stdin', 'read a new password from standard input')
    .option('--generate-password', 'make a new password and show it once')
    .addHelpText(
      'after',
      examples(
        'users update my-shop ann@example.com --role "Read only"',
        'users update my-shop ann@example.com --generate-password',
      ),
    )
    .action((reference, user, options) =>
      cli.run(async (session) => {
        const { email, role, firstName, lastName, timeZone } = options
        const asksPassword = options.password ?? options.passwordStdin ?? options.generatePassword ?? false
        const isAnythingElse = [email, role, firstName, lastName, timeZone].some(
          (value) => value !== undefined,
        )
        if (!asksPassword && !isAnythingElse)
          throw new CliError(
            'Say what to change: --role, --email, --first-name, --last-name, --time-zone or a password option.',
            EXIT.usage,
          )
        const { id: organizationId } = await requireOrganization(reference, session.database)
        await requireUser(organizationId, user, session.database)
        const roleId =
          role === undefined ? undefined : (await requireRole(organizationId, role, session.database)).id
        const given = asksPassword ? await readPassword(options, cli) : undefined
        const changes = {
          ...(email === undefined ? {} : { email }),
          ...(timeZone === undefined ? {} : { timeZone }),
          ...(roleId === undefined ? {} : { roleId }),
          ...(firstName === undefined ? {} : { firstName }),
          ...(lastName === undefined ? {} : { lastName }),
          ...(given === undefined ? {} : { password: given.password }),
        }
        const changed = await updateUser({ organizationId, user }, changes, session)
        showUser(cli, changed, given?.isShown === true ? given.password : undefined)
      }),
    )
}

const addUserSwitches = (users: UsersCommand, cli: Cli): void => {
  users
    .command('disable')
    .description('End every token that speaks for the user; no sign-in any more.')
    .argument('<organization>', 'slug or id')
    .argument('<user>', 'email or id')
    .addHelpText('after', examples('users disable my-shop ann@example.com --yes'))
    .action((reference, user) =>
      cli.run(async (session) => {
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const { email } = await requireUser(organizationId, user, session.database)
        await cli.confirm(`Disable ${email}? All tokens that speak for this user end.`)
        showUser(cli, await disableUser({ organizationId, user }, session))
      }),
    )

  users
    .command('enable')
    .description('Let a disabled user sign in again; tokens from before stay refused.')
    .argument('<organization>', 'slug or id')
    .argument('<user>', 'email or id')
    .addHelpText('after', examples('users enable my-shop ann@example.com'))
    .action((reference, user) =>
      cli.run(async (session) => {
        const { id: organizationId } = await requireOrganization(reference, session.database)
        showUser(cli, await enableUser({ organizationId, user }, session))
      }),
    )

  users
    .command('delete')
    .description('Delete a user; every token that speaks for the user ends, and the email is free again.')
    .argument('<organization>', 'slug or id')
    .argument('<user>', 'email or id')
    .addHelpText('after', examples('users delete my-shop ann@example.com --yes'))
    .action((reference, user) =>
      cli.run(async (session) => {
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const { id, email } = await requireUser(organizationId, user, session.database)
        await cli.confirm(
          `Delete ${email}? All tokens that speak for this user end, and the id never comes back.`,
        )
        showUser(cli, await deleteUser({ organizationId, user: id }, session))
      }),
    )
}
