import { Option } from '@commander-js/extra-typings'
import { requireOrganization } from '../../provisioning/find-records.ts'
import { parseInstant } from '../arguments.ts'
import { CliError, EXIT } from '../cli-error.ts'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { openWebhooksClient, type WebhookState } from '../webhooks-client.ts'

const flat = (webhook: WebhookState) => ({
  id: webhook.id,
  topic: webhook.topic,
  url: webhook.callback_url,
  state: webhook.disabled_at === null ? `circuit ${webhook.circuit_state}` : 'disabled',
  'failures in a row': webhook.circuit_failure_count,
  waiting: webhook.waiting,
  held: webhook.held,
  failed: webhook.failed,
})

export const addWebhookCommands = (program: RootCommand, cli: Cli): void => {
  const webhooks = program
    .command('webhooks')
    .description('What webhooks wait for and fail at, and sending it again.')
    .addHelpText('after', examples('webhooks list my-shop --mode live', 'webhooks resend xKjQpHpQRa'))

  webhooks
    .command('list')
    .description(
      'Webhooks of an environment with their deliveries that are not done; those that fail most first.',
    )
    .argument('<organization>', 'slug or id')
    .addOption(
      new Option('--mode <mode>', 'of which environment')
        .choices(['test', 'live'] as const)
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      examples('webhooks list my-shop --mode live', 'webhooks list my-shop --mode test --json'),
    )
    .action((reference, { mode }) =>
      cli.run(async ({ database }) => {
        const { id } = await requireOrganization(reference, database)
        const found = await openWebhooksClient(cli.io.env).list(id, mode)
        cli.list(found, found.map(flat))
      }),
    )

  webhooks
    .command('resend')
    .description(
      'Send again what failed for the last time; or one event, or all events of a time, at most 10,000.',
    )
    .argument('<webhook>', 'id')
    .option('--event <event>', 'id of one event of its topic')
    .option('--from <instant>', 'all events since then, such as 2026-01-31T12:00:00Z', parseInstant)
    .option('--to <instant>', 'until then; default now', parseInstant)
    .addHelpText(
      'after',
      examples(
        'webhooks resend xKjQpHpQRa',
        'webhooks resend xKjQpHpQRa --event vQzNtMxYbc',
        'webhooks resend xKjQpHpQRa --from 2026-01-31T12:00:00Z --to 2026-01-31T13:00:00Z',
      ),
    )
    .action(async (webhook, { event, from, to }) => {
      if (event !== undefined && (from !== undefined || to !== undefined))
        throw new CliError('Say --event, or --from and --to, not both.', EXIT.usage)
      if (to !== undefined && from === undefined)
        throw new CliError('--to needs --from: the time must begin somewhere.', EXIT.usage)
      const count = await openWebhooksClient(cli.io.env).resend(webhook, {
        ...(event === undefined ? {} : { event_id: event }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      })
      cli.show({ webhook, deliveries: count }, { webhook, 'sent again': String(count) })
    })

  webhooks
    .command('reset-circuit')
    .description('Call a webhook again that failed 30 times in a row; what was held back is sent.')
    .argument('<webhook>', 'id')
    .addHelpText('after', examples('webhooks reset-circuit xKjQpHpQRa'))
    .action(async (webhook) => {
      await openWebhooksClient(cli.io.env).resetCircuit(webhook)
      cli.show({ webhook, circuit_state: 'closed' }, { webhook, circuit: 'closed' })
    })
}
