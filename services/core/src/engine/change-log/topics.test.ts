import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas, stateMachines } from '../../areas.ts'
import { skus } from '../../catalogue/skus.ts'
import { orders } from '../../orders/orders.ts'
import { createRegistry } from '../registry.ts'
import { generalTopics, requireListed } from './topics.ts'

const registry = createRegistry(areas, { ids: testIds })

test('what happens to every type has a topic where the area lists it', () => {
  expect(generalTopics(orders, 'create', registry)).toEqual(['orders.create'])
  expect(generalTopics(orders, 'tagged', registry)).toEqual(['orders.tagged'])
  expect(generalTopics(skus, 'create', registry)).toEqual([])
})

test('listed topics are emitted in their order, each once', () => {
  const topics = ['orders.create', 'orders.draft', 'orders.create']
  expect(requireListed(topics, orders, registry)).toEqual(['orders.create', 'orders.draft'])
})

test('a topic that the area of the type does not list is a mistake of the code', () => {
  const message = 'skus.create is no topic of skus; its area lists skus.tagged'
  expect(() => requireListed(['skus.create'], skus, registry)).toThrow(message)
  expect(() => requireListed(['skus.tagged'], orders, registry)).toThrow('skus.tagged is no topic of orders')
})

const ofTransitions = Object.entries(stateMachines).flatMap(([type, machines]) =>
  machines.flatMap(({ transitions }) =>
    Object.values(transitions).flatMap(({ topic }) => (topic === undefined ? [] : [{ type, topic }])),
  ),
)

test.each(ofTransitions)('$topic of a transition is listed for $type', ({ type, topic }) => {
  expect(requireListed([topic], registry.require(type), registry)).toEqual([topic])
})

const triggered = Object.entries(stateMachines).flatMap(([type, machines]) =>
  machines.flatMap(({ transitions }) =>
    Object.values(transitions).flatMap(({ trigger }) => (trigger === undefined ? [] : [{ type, trigger }])),
  ),
)

test.each(triggered)('$trigger of $type starts its transition by a command', ({ type, trigger }) => {
  expect(registry.facts.commands[type]?.map((command) => command.trigger)).toContain(trigger)
})
