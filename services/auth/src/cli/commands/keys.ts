import { createKeyEncryption } from '../../keys/key-encryption.ts'
import { PUBLISHED_AHEAD_SECONDS_DEFAULT, rotateKeys } from '../../keys/rotation.ts'
import { withdrawKey } from '../../keys/withdrawal.ts'
import { createSigningKeyStore } from '../../store/signing-key-store.ts'
import { parseAhead } from '../arguments.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { presentKey } from '../present.ts'
import type { Session } from '../session.ts'

const encryptionOf = ({ config }: Session) => {
  const secret = config.keyEncryptionSecret ?? config.serviceKey
  if (secret !== undefined) return createKeyEncryption(secret)
  throw new CliError(
    'Keys are sealed: set KEY_ENCRYPTION_SECRET, or SERVICE_KEY when the service has none, as the service has it.',
    EXIT.usage,
  )
}

export const addKeyCommands = (program: RootCommand, cli: Cli): void => {
  const keys = program
    .command('keys')
    .description('The keys that sign access tokens.')
    .addHelpText('after', examples('keys list', 'keys rotate', 'keys withdraw 3f2a…c41d'))

  keys
    .command('list')
    .description('List the keys that are published: the next, the active, and retired ones.')
    .addHelpText('after', examples('keys list', 'keys list --json'))
    .action(() =>
      cli.run(async ({ database, clock }) => {
        const found = (await createSigningKeyStore(database).listPublished(clock.now())).map(presentKey)
        cli.list(found, found)
      }),
    )

  keys
    .command('rotate')
    .description('Publish the next key. Running services sign with it once everybody can know it.')
    .option(
      '--activate-after <seconds>',
      'how long it is published before it signs, 420 to 604800',
      parseAhead,
      PUBLISHED_AHEAD_SECONDS_DEFAULT,
    )
    .addHelpText('after', examples('keys rotate', 'keys rotate --activate-after 86400 --json'))
    .action(({ activateAfter }) =>
      cli.run(async (session) => {
        const { config, database, clock, actor } = session
        const outcome = await rotateKeys(activateAfter, {
          store: createSigningKeyStore(database),
          encryption: encryptionOf(session),
          bits: config.signingKeyBits,
          clock,
          actor,
        })
        const signsFrom = outcome.activatesAt ?? null
        if (outcome.kind === 'under_way') {
          throw new CliError(
            `A rotation is under way: the key ${outcome.kid} signs from ${signsFrom?.toISOString() ?? 'an unknown time'} on.`,
          )
        }
        const shown = { kid: outcome.kid, state: 'next', signs_from: signsFrom }
        cli.show(shown, shown)
        cli.say('The key before stays published until the last token it signed has expired.')
      }),
    )

  keys
    .command('withdraw')
    .description('End a key that leaked: every token it signed is refused, everywhere, within a second.')
    .argument('<kid>', 'of the key, 64 hexadecimal digits, as keys list shows it')
    .addHelpText('after', examples(`keys withdraw ${'0123456789abcdef'.repeat(4)} --yes`))
    .action((kid) =>
      cli.run(async (session) => {
        const { config, database, clock, actor } = session
        await cli.confirm(`Withdraw ${kid}? Every client whose token it signed has to ask for another.`)
        const outcome = await withdrawKey(kid, {
          store: createSigningKeyStore(database),
          encryption: encryptionOf(session),
          bits: config.signingKeyBits,
          clock,
          actor,
        })
        if (outcome === 'unknown')
          throw new CliError(`There is no key ${kid}; merx keys list shows those there are.`)
        const shown = { kid, state: 'withdrawn' }
        cli.show(shown, shown)
        cli.say('Its tokens are refused now. Refresh tokens live on: they are not signed.')
      }),
    )
}
