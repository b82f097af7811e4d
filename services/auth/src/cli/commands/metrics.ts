import { setTimeout as wait } from 'node:timers/promises'
import { examples, type Cli, type RootCommand } from '../cli.ts'
import { openMetricsClient, type IngestState, type MetricsClient } from '../metrics-client.ts'

const LOOK_MS = 500

const lineOf = ({ rebuild, trouble }: IngestState): string => {
  const hindrance = trouble === null ? '' : ` (${trouble})`
  if (rebuild === null) return `waiting for the process that fills the store${hindrance}`
  const { applied, expected } = rebuild
  if (expected === null) return `${applied} orders read into an empty store${hindrance}`
  // Documents that change meanwhile are read again, so there may be more than there were at first.
  const percent = expected === 0 ? 99 : Math.min(99, Math.floor((applied * 100) / expected))
  return `${applied} of about ${expected} orders read, ${percent} %${hindrance}`
}

const untilLive = async (metrics: MetricsClient, generation: number, cli: Cli): Promise<IngestState> => {
  let printed = ''
  for (;;) {
    const state = await metrics.ingest()
    if (state.generation >= generation) return state
    const line = lineOf(state)
    if (line !== printed) cli.say(line)
    printed = line
    await wait(LOOK_MS)
  }
}

export const addMetricsCommands = (program: RootCommand, cli: Cli): void => {
  const metrics = program
    .command('metrics')
    .description('The analytics store.')
    .addHelpText('after', examples('metrics status', 'metrics rebuild'))

  metrics
    .command('rebuild')
    .description('Fills new tables from core next to those in use, then swaps them. Queries go on.')
    .option('--no-wait', 'begin it and leave')
    .addHelpText('after', examples('metrics rebuild', 'metrics rebuild --no-wait --json'))
    .action(async ({ wait: waits }) => {
      const client = openMetricsClient(cli.io.env)
      const generation = await client.requestRebuild()
      if (!waits) {
        cli.show({ generation, is_live: false }, { generation: String(generation), state: 'begun' })
        return
      }
      const { quarantined } = await untilLive(client, generation, cli)
      cli.show(
        { generation, is_live: true, quarantined },
        { generation: String(generation), state: 'live', quarantined: String(quarantined) },
      )
    })

  metrics
    .command('status')
    .description('How late the store is, and what hinders it.')
    .addHelpText('after', examples('metrics status', 'metrics status --json'))
    .action(async () => {
      const state = await openMetricsClient(cli.io.env).ingest()
      cli.show(state, {
        generation: String(state.generation),
        'lag in ms': state.lag_ms === null ? 'not known' : String(state.lag_ms),
        backlog: state.backlog === null ? 'not known' : String(state.backlog),
        quarantined: String(state.quarantined),
        trouble: state.trouble ?? 'none',
        rebuild: state.rebuild === null ? 'none' : lineOf(state),
      })
    })
}
