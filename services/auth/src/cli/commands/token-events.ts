import { Option, type Command, type OptionValues } from '@commander-js/extra-typings'
import { requireCredential } from '../../provisioning/find-records.ts'
import { listTokenEvents, TOKEN_EVENT_DAYS, type StoredTokenEvent } from '../../store/token-event-store.ts'
import { parseEventNumber, parseInstant, parseLimit } from '../arguments.ts'
import { examples, type Cli, type GlobalOptions } from '../cli.ts'
import { organizationOfLog } from '../organization-of-log.ts'

const LIMIT_DEFAULT = 50

const present = (event: StoredTokenEvent) => ({
  number: Number(event.id),
  occurred_at: event.occurredAt,
  outcome: event.outcome,
  grant: event.grant,
  error: event.error,
  client_id: event.clientId,
  organization_id: event.organizationId,
  owner: event.ownerId === null ? null : { type: event.ownerType, id: event.ownerId },
  token_id: event.tokenId,
  origin: event.origin,
  request_id: event.requestId,
  count: event.count,
})

const flat = (event: ReturnType<typeof present>) => ({
  number: event.number,
  when: event.occurred_at,
  what: event.error ?? event.outcome,
  times: event.count,
  grant: event.grant,
  client: event.client_id,
  from: event.origin,
  token: event.token_id,
})

export const addTokenEventsCommand = (tokens: Command<[], OptionValues, GlobalOptions>, cli: Cli): void => {
  tokens
    .command('events')
    .description(
      `What the token endpoint answered in the last ${TOKEN_EVENT_DAYS} days; newest first. Reused tokens are no event.`,
    )
    .option('--credential <credential>', 'id or client id')
    .option('--organization <organization>', 'slug or id; refusals have none')
    .addOption(new Option('--outcome <outcome>', 'of one kind').choices(['issued', 'refused'] as const))
    .option('--since <instant>', 'not older than this, such as 2026-01-31T12:00:00Z', parseInstant)
    .option('--before <number>', 'the next page: events with lower numbers', parseEventNumber)
    .option('--limit <count>', 'how many at most, up to 1000', parseLimit, LIMIT_DEFAULT)
    .addHelpText(
      'after',
      examples('tokens events --outcome refused', 'tokens events --credential xKjQpHpQRa --json'),
    )
    .action(({ credential, organization, outcome, since, before, limit }) =>
      cli.run(async ({ database }) => {
        const organizationId =
          organization === undefined ? undefined : await organizationOfLog(organization, database)
        const clientId =
          credential === undefined ? undefined : (await requireCredential(credential, database)).clientId
        const filter = { clientId, organizationId, outcome, since, before, limit }
        const events = (await listTokenEvents(database, filter)).map(present)
        cli.list(events, events.map(flat))
      }),
    )
}
