import { AppError } from '@merx/errors/app-error'
import { CUSTOM_LIFETIME_SECONDS_MAX } from '../../clients/lifetimes.ts'
import { createAccessStateStore } from '../../store/access-state-store.ts'
import { createRefreshTokenStore } from '../../store/refresh-token-store.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { inspectToken } from '../inspect-token.ts'
import type { Session } from '../session.ts'
import { addTokenEventsCommand } from './token-events.ts'

const TOKEN_HELP = 'the token, or - to read it from standard input, where no other account sees it'
const TOKEN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const readToken = async (argument: string, { io }: Cli): Promise<string> => {
  const token = argument === '-' ? (await io.readInput()).trim() : argument
  if (token === '') throw new CliError('The token is empty.', EXIT.usage)
  return token
}

const revokeAccessToken = async (
  { id, expiresAt, organizationId }: { id: string; expiresAt: Date; organizationId?: string | undefined },
  { database, clock, actor }: Session,
): Promise<void> => {
  const subject = { type: 'access_tokens', id }
  const event = { actor, action: 'token.revoke', subject, organizationId } as const
  await createAccessStateStore(database).revoke({ tokenId: id, expiresAt }, clock.now(), event)
}

const revoke = async (token: string, session: Session): Promise<{ type: string; id: string }> => {
  const { database, clock, actor } = session
  if (TOKEN_ID.test(token)) {
    // Its expiry is not known; no token lives longer than this.
    const expiresAt = new Date(clock.now().getTime() + CUSTOM_LIFETIME_SECONDS_MAX * 1_000)
    await revokeAccessToken({ id: token, expiresAt }, session)
    return { type: 'access_token', id: token }
  }
  const found = await inspectToken(token, session)
  if (found.type === 'access_token') {
    const { claims } = found
    const expiresAt = new Date(claims.exp * 1_000)
    await revokeAccessToken({ id: claims.jti, expiresAt, organizationId: claims.organization.id }, session)
    return { type: found.type, id: claims.jti }
  }
  if (found.type === 'refresh_token') {
    const { familyId, organizationId } = found
    const subject = { type: 'refresh_families', id: String(familyId) }
    const event = { actor, action: 'refresh_token.revoke', subject, organizationId } as const
    await createRefreshTokenStore(database).revokeFamily(familyId, clock.now(), event)
    return { type: found.type, id: String(familyId) }
  }
  throw new AppError('record_not_found', { detail: 'This is no token that was issued here.' })
}

export const addTokenCommands = (program: RootCommand, cli: Cli): void => {
  const tokens = program
    .command('tokens')
    .description('Look into tokens, and end them.')
    .addHelpText(
      'after',
      examples(
        'tokens inspect -',
        'tokens events --outcome refused',
        'tokens revoke 0b5e2e9c-5a3b-4e4e-9d6c-0c1b2a3d4e5f',
      ),
    )

  tokens
    .command('inspect')
    .description('What a token says, and whether it is accepted now.')
    .argument('<token>', TOKEN_HELP)
    .addHelpText('after', examples('tokens inspect eyJhbGciOi…', 'tokens inspect - --json < token.txt'))
    .action((argument) =>
      cli.run(async (session) => {
        const found = await inspectToken(await readToken(argument, cli), session)
        if (found.type === 'unknown')
          throw new AppError('record_not_found', { detail: 'This is no token that was issued here.' })
        cli.show(found.full, found.flat)
      }),
    )

  tokens
    .command('revoke')
    .description('End an access token, or a refresh token with all that came of the same sign-in.')
    .argument('<token>', `${TOKEN_HELP}; or the id (jti) of an access token`)
    .addHelpText(
      'after',
      examples(
        'tokens revoke - --yes < token.txt',
        'tokens revoke 0b5e2e9c-5a3b-4e4e-9d6c-0c1b2a3d4e5f --yes',
      ),
    )
    .action((argument) =>
      cli.run(async (session) => {
        const token = await readToken(argument, cli)
        await cli.confirm('Revoke this token? Services refuse it within a second.')
        const revoked = await revoke(token, session)
        cli.show({ ...revoked, revoked: true }, { ...revoked, revoked: true })
      }),
    )

  addTokenEventsCommand(tokens, cli)
}
