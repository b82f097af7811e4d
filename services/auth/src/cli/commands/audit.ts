import { Option } from '@commander-js/extra-typings'
import { AUDIT_ACTIONS } from '../../audit/audit-event.ts'
import { listAudit } from '../../store/audit-store.ts'
import { parseEventNumber, parseInstant, parseLimit } from '../arguments.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { organizationOfLog } from '../organization-of-log.ts'
import { presentEvent } from '../present.ts'

const LIMIT_DEFAULT = 50

export const addAuditCommand = (program: RootCommand, cli: Cli): void => {
  program
    .command('audit')
    .description('Who did what, from where, when; newest first.')
    .option('--organization <organization>', 'slug or id; of one that was deleted the id')
    .option('--subject <id>', 'of one credential, user, role, key or token')
    .addOption(new Option('--action <action>', 'of one kind').choices(AUDIT_ACTIONS))
    .option('--since <instant>', 'not older than this, such as 2026-01-31T12:00:00Z', parseInstant)
    .option('--before <number>', 'the next page: events with lower numbers', parseEventNumber)
    .option('--limit <count>', 'how many at most, up to 1000', parseLimit, LIMIT_DEFAULT)
    .addHelpText(
      'after',
      examples(
        'audit --organization my-shop',
        'audit --action credential.disable --since 2026-01-01',
        'audit --subject xKjQpHpQRa --json',
      ),
    )
    .action(({ organization, subject, action, since, before, limit }) =>
      cli.run(async ({ database }) => {
        const organizationId =
          organization === undefined ? undefined : await organizationOfLog(organization, database)
        const filter = { organizationId, subjectId: subject, action, since, before, limit }
        const events = (await listAudit(database, filter)).map(presentEvent)
        cli.list(
          events,
          events.map((event) => ({
            number: event.number,
            when: event.occurred_at,
            who: `${event.actor.kind} ${event.actor.name}`,
            from: event.actor.origin,
            what: event.action,
            subject: `${event.subject.type} ${event.subject.id}`,
          })),
        )
      }),
    )
}
