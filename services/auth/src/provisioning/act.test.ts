import { createFakeClock } from '@merx/testing/fake-clock'
import { act, actTogether, readerOf } from './act.ts'
import type { Guard, ProvisioningDeps } from './provisioning-deps.ts'

/** A database whose transactions are counted, and a guard that tells when it was asked. */
const setUp = (refuse?: 'before' | 'after') => {
  const calls: string[] = []
  const transaction = { name: 'transaction' }
  const database = {
    $transaction: async (work: (within: unknown) => Promise<unknown>) => {
      calls.push('begin')
      const outcome = await work(transaction)
      calls.push('commit')
      return outcome
    },
  }
  const ask = (when: 'before' | 'after') => (_transaction: unknown, organizationId: string) => {
    calls.push(`${when} ${organizationId}`)
    return refuse === when ? Promise.reject(new Error(`refused ${when}`)) : Promise.resolve()
  }
  const guard: Guard = { before: ask('before'), after: ask('after') }
  const deps = { database, clock: createFakeClock(), guard } as unknown as ProvisioningDeps
  const work = (name: string) => () => {
    calls.push(name)
    return Promise.resolve(name)
  }
  return { calls, deps, transaction, work }
}

describe('an act', () => {
  it('is one transaction, with the guard around it', async () => {
    const { calls, deps, work } = setUp()
    expect(await act('shop', deps, work('act'))).toBe('act')
    expect(calls).toEqual(['begin', 'before shop', 'act', 'after shop', 'commit'])
  })

  it('does not begin, or does not stay, when the guard says so', async () => {
    const before = setUp('before')
    await expect(act('shop', before.deps, before.work('act'))).rejects.toThrow('refused before')
    expect(before.calls).toEqual(['begin', 'before shop'])
    const after = setUp('after')
    await expect(act('shop', after.deps, after.work('act'))).rejects.toThrow('refused after')
    expect(after.calls).not.toContain('commit')
  })

  it('takes part in the transaction of the acts it is one of, which is guarded as a whole', async () => {
    const { calls, deps, work, transaction } = setUp()
    await actTogether('shop', deps, async (within) => {
      expect(readerOf(within)).toBe(transaction)
      await act('shop', within, work('one'))
      await act('shop', within, work('two'))
    })
    expect(calls).toEqual(['begin', 'before shop', 'one', 'two', 'after shop', 'commit'])
    expect(readerOf(deps)).toBe(deps.database)
  })
})
