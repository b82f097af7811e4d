import { Option } from '@commander-js/extra-typings'
import { CREDENTIAL_KINDS } from '../../clients/credential.ts'
import {
  deleteCredential,
  disableCredential,
  enableCredential,
  rotateSecret,
  updateCredential,
} from '../../provisioning/change-credential.ts'
import { createCredential } from '../../provisioning/create-credential.ts'
import {
  listCredentials,
  requireCredential,
  requireOrganization,
  requireRole,
} from '../../provisioning/find-records.ts'
import type { CredentialRecord } from '../../provisioning/records.ts'
import { parseLifetime } from '../arguments.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { flatCredential, presentCredential } from '../present.ts'

const MODES = ['test', 'live'] as const
const LIFETIME_HELP = 'lifetime of its access tokens, 7200 to 1296000, or default'

const showCredential = (cli: Cli, credential: CredentialRecord, clientSecret?: string): void => {
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret }
  cli.show({ ...presentCredential(credential), ...secret }, { ...flatCredential(credential), ...secret })
  if (clientSecret !== undefined) cli.say('The client secret is shown this once; only its digest is kept.')
}

export const addCredentialCommands = (program: RootCommand, cli: Cli): void => {
  const credentials = program
    .command('credentials')
    .description('API credentials: what applications get tokens with. Each belongs to one mode.')
    .addHelpText(
      'after',
      examples(
        'credentials create my-shop --mode test --kind sales_channel --name Storefront',
        'credentials list my-shop',
        'credentials rotate-secret xKjQpHpQRa',
      ),
    )

  credentials
    .command('create')
    .description('Create a credential and show its secret, once.')
    .argument('<organization>', 'slug or id')
    .addOption(new Option('--mode <mode>', 'environment').choices(MODES).makeOptionMandatory())
    .addOption(new Option('--kind <kind>', 'kind').choices(CREDENTIAL_KINDS).makeOptionMandatory())
    .requiredOption('--name <name>', 'what people call it')
    .option('--role <role>', 'name or id of its role: integrations need one, no other kind has one')
    .option('--redirect-uri <uri>', 'where codes are sent: webapps need one')
    .option('--lifetime <seconds>', LIFETIME_HELP, parseLifetime)
    .addHelpText(
      'after',
      examples(
        'credentials create my-shop --mode test --kind sales_channel --name Storefront',
        'credentials create my-shop --mode live --kind integration --name ERP --role Admin --lifetime 86400',
        'credentials create my-shop --mode test --kind webapp --name Back --redirect-uri https://app.example/cb',
      ),
    )
    .action((reference, { mode, kind, name, role, redirectUri, lifetime }) =>
      cli.run(async (session) => {
        const { id: organizationId } = await requireOrganization(reference, session.database)
        const roleId =
          role === undefined ? undefined : (await requireRole(organizationId, role, session.database)).id
        const made = await createCredential(
          {
            organizationId,
            mode,
            kind,
            name,
            ...(roleId === undefined ? {} : { roleId }),
            ...(redirectUri === undefined ? {} : { redirectUri }),
            ...(typeof lifetime === 'number' ? { expiresIn: lifetime } : {}),
          },
          session,
        )
        showCredential(cli, await requireCredential(made.id, session.database), made.clientSecret)
      }),
    )

  addCredentialViews(credentials, cli)
  addCredentialChanges(credentials, cli)
  addCredentialSwitches(credentials, cli)
}

type CredentialsCommand = ReturnType<RootCommand['command']>

const addCredentialViews = (credentials: CredentialsCommand, cli: Cli): void => {
  credentials
    .command('list')
    .description('List credentials, of all organizations or of one.')
    .argument('[organization]', 'slug or id')
    .addOption(new Option('--mode <mode>', 'of this environment').choices(MODES))
    .addOption(new Option('--kind <kind>', 'of this kind').choices(CREDENTIAL_KINDS))
    .addHelpText('after', examples('credentials list my-shop --mode live', 'credentials list --json'))
    .action((reference, { mode, kind }) =>
      cli.run(async ({ database }) => {
        const organizationId =
          reference === undefined ? undefined : (await requireOrganization(reference, database)).id
        const found = await listCredentials({ organizationId, mode, kind }, database)
        cli.list(
          found.map(presentCredential),
          found.map((credential) => ({
            id: credential.id,
            organization: credential.organization.slug,
            mode: credential.mode,
            kind: credential.kind,
            name: credential.name,
            role: credential.role?.name,
            lifetime: credential.expiresIn,
            disabled_at: credential.disabledAt,
            client_id: credential.clientId,
          })),
        )
      }),
    )

  credentials
    .command('show')
    .description('Show one credential, without its secret: that is kept nowhere.')
    .argument('<credential>', 'id or client id')
    .addHelpText('after', examples('credentials show xKjQpHpQRa'))
    .action((reference) =>
      cli.run(async ({ database }) => showCredential(cli, await requireCredential(reference, database))),
    )
}

const addCredentialChanges = (credentials: CredentialsCommand, cli: Cli): void => {
  credentials
    .command('update')
    .description(
      'Change a name, a lifetime, a redirect URI or a role. A new role acts through living tokens.',
    )
    .argument('<credential>', 'id or client id')
    .option('--name <name>', 'what people call it')
    .option('--lifetime <seconds>', LIFETIME_HELP, parseLifetime)
    .option('--redirect-uri <uri>', 'where codes are sent')
    .option('--role <role>', 'name or id of a role; integrations only')
    .addHelpText(
      'after',
      examples(
        'credentials update xKjQpHpQRa --lifetime 86400',
        'credentials update xKjQpHpQRa --lifetime default',
        'credentials update xKjQpHpQRa --role "Read only"',
      ),
    )
    .action((reference, { name, lifetime, redirectUri, role }) =>
      cli.run(async (session) => {
        if (name === undefined && lifetime === undefined && redirectUri === undefined && role === undefined)
          throw new CliError('Say what to change: --name, --lifetime, --redirect-uri or --role.', EXIT.usage)
        const { id, organization } = await requireCredential(reference, session.database)
        const roleId =
          role === undefined ? undefined : (await requireRole(organization.id, role, session.database)).id
        const changes = {
          ...(name === undefined ? {} : { name }),
          ...(lifetime === undefined ? {} : { expiresIn: lifetime === 'default' ? null : lifetime }),
          ...(redirectUri === undefined ? {} : { redirectUri }),
          ...(roleId === undefined ? {} : { roleId }),
        }
        showCredential(cli, await updateCredential(id, changes, session))
      }),
    )

  credentials
    .command('rotate-secret')
    .description('Make a new secret and show it, once. The old one is refused at once; tokens live on.')
    .argument('<credential>', 'id or client id')
    .addHelpText('after', examples('credentials rotate-secret xKjQpHpQRa --yes'))
    .action((reference) =>
      cli.run(async (session) => {
        const { id, name } = await requireCredential(reference, session.database)
        await cli.confirm(`Replace the secret of '${name}'? Whoever uses the old one is refused at once.`)
        const { credential, clientSecret } = await rotateSecret(id, session)
        showCredential(cli, credential, clientSecret)
      }),
    )
}

const addCredentialSwitches = (credentials: CredentialsCommand, cli: Cli): void => {
  credentials
    .command('disable')
    .description('No new tokens, and all it has end, refresh tokens too.')
    .argument('<credential>', 'id or client id')
    .addHelpText('after', examples('credentials disable xKjQpHpQRa --yes'))
    .action((reference) =>
      cli.run(async (session) => {
        const { id, name } = await requireCredential(reference, session.database)
        await cli.confirm(`Disable '${name}'? All its tokens end.`)
        showCredential(cli, await disableCredential(id, session))
      }),
    )

  credentials
    .command('enable')
    .description('Let a disabled credential get tokens again; those from before stay refused.')
    .argument('<credential>', 'id or client id')
    .addHelpText('after', examples('credentials enable xKjQpHpQRa'))
    .action((reference) =>
      cli.run(async (session) => {
        const { id } = await requireCredential(reference, session.database)
        showCredential(cli, await enableCredential(id, session))
      }),
    )

  credentials
    .command('delete')
    .description('Delete a credential; all its tokens end.')
    .argument('<credential>', 'id or client id')
    .addHelpText('after', examples('credentials delete xKjQpHpQRa --yes'))
    .action((reference) =>
      cli.run(async (session) => {
        const { id, name } = await requireCredential(reference, session.database)
        await cli.confirm(`Delete '${name}'? All its tokens end, and its client id never comes back.`)
        showCredential(cli, await deleteCredential(id, session))
      }),
    )
}
