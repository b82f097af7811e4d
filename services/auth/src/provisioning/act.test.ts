import { createFakeClock } from '@merx/testing/fake-clock'
import { act, actTogether, readerOf } from './act.ts'
import type { Guard, ProvisioningDeps } from './provisioning-deps.ts'

/** A database whose transactions are counted, and a guard that tells when it was asked. */
const setUp = (refuse?: 'before' | 'after') => {
  const told: string[] = []
  const transaction = { name: 'transaction' }
  const database = {
    $transaction: async (work: (within: unknown) => Promise<unknown>) => {
      told.push('begin')
      const outcome = await work(transaction)
      told.push('commit')
      return outcome
    },
  }
  const ask = (when: 'before' | 'after') => (_transaction: unknown, organizationId: string) => {
    told.push(`${when} ${organizationId}`)
    return refuse === when ? Promise.reject(new Error(`refused ${when}`)) : Promise.resolve()
  }
  const guard: Guard = { before: ask('before'), after: ask('after') }
  const deps = { database, clock: createFakeClock(), guard } as unknown as ProvisioningDeps
  const work = (name: string) => () => {
    told.push(name)
    return Promise.resolve(name)
  }
  return { told, deps, transaction, work }
}

describe('an act', () => {
  it('is one transaction, with the guard around it', async () => {
    const { told, deps, work } = setUp()
    expect(await act('shop', deps, work('act'))).toBe('act')
    expect(told).toEqual(['begin', 'before shop', 'act', 'after shop', 'commit'])
  })

  it('does not begin, or does not stay, when the guard says so', async () => {
    const before = setUp('before')
    await expect(act('shop', before.deps, before.work('act'))).rejects.toThrow('refused before')
    expect(before.told).toEqual(['begin', 'before shop'])
    const after = setUp('after')
    await expect(act('shop', after.deps, after.work('act'))).rejects.toThrow('refused after')
    expect(after.told).not.toContain('commit')
  })

  it('takes part in the transaction of the acts it is one of, which is guarded as a whole', async () => {
    const { told, deps, work, transaction } = setUp()
    await actTogether('shop', deps, async (within) => {
      expect(readerOf(within)).toBe(transaction)
      await act('shop', within, work('one'))
      await act('shop', within, work('two'))
    })
    expect(told).toEqual(['begin', 'before shop', 'one', 'two', 'after shop', 'commit'])
    expect(readerOf(deps)).toBe(deps.database)
  })
})
