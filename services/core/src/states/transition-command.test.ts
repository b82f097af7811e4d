import type { CommandContext } from '../engine/write/commands.ts'
import { defineStateMachine } from './define-state-machine.ts'
import { transitionCommand } from './transition-command.ts'

const parcels = defineStateMachine({
  column: 'status',
  initial: 'open',
  states: ['open', 'sent', 'lost'],
  transitions: {
    send: { from: ['open'], to: 'sent', trigger: '_send' },
    lose: { from: ['sent'], to: 'lost', trigger: '_lose', only: 'integration' },
  },
})

const run = (trigger: '_send' | '_lose', context: object) => {
  const asked: unknown[] = []
  const command = transitionCommand(parcels, trigger, (given) => {
    asked.push(given)
    return {}
  })
  const whole = { step: { scope: {} }, ...context } as unknown as CommandContext
  return { command, asked, whole, outcome: command.run(whole) }
}

it('plans the transition of its trigger, about what the command was sent with', async () => {
  const { command, asked, whole, outcome } = run('_send', {
    before: { status: 'open' },
    row: { status: 'open' },
  })
  expect(await outcome).toMatchObject({ set: { status: 'sent' }, expected: { status: 'open' } })
  expect([command.trigger, asked]).toEqual(['_send', [whole]])
})

it('expects the state that is stored, which the rest of the request may have moved', async () => {
  const { outcome } = run('_lose', { before: { status: 'open' }, row: { status: 'sent' } })
  expect(await outcome).toMatchObject({ set: { status: 'lost' }, expected: { status: 'open' } })
})

it('expects nothing of a row that is new, or does not change', async () => {
  const created = run('_send', { before: undefined, row: { status: 'open' } })
  expect(await created.outcome).toMatchObject({ set: { status: 'sent' }, expected: {} })
  const repeated = run('_send', { before: { status: 'sent' }, row: { status: 'sent' } })
  expect(await repeated.outcome).toMatchObject({ set: {}, expected: {} })
})

it('refuses a sales channel what only integrations may', async () => {
  const step = { scope: { salesChannel: { seesGuestOrdersOnly: false } } }
  const { outcome } = run('_lose', { before: { status: 'sent' }, row: { status: 'sent' }, step })
  await expect(outcome).rejects.toMatchObject({ code: 'unauthorized' })
})
