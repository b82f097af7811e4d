import { budgets, scaleWindow } from './budgets.ts'

describe('budgets', () => {
  it('are those of the contract', () => {
    const table = Object.entries(budgets).flatMap(([name, modes]) =>
      Object.entries(modes).map(([mode, { average, burst }]) =>
        [name, mode, average.points, average.seconds, burst?.points ?? '-', burst?.seconds ?? '-'].join(' '),
      ),
    )
    expect(table).toEqual([
      'token test 30 60 - -',
      'token live 30 60 - -',
      'revocation test 30 60 - -',
      'revocation live 30 60 - -',
      'authorization test 120 60 - -',
      'authorization live 120 60 - -',
      'token_information test 300 60 - -',
      'token_information live 300 60 - -',
      'provisioning test 120 60 40 10',
      'provisioning live 120 60 40 10',
      'metrics test 100 60 25 10',
      'metrics live 200 60 50 10',
      'write test 100 60 25 10',
      'write live 200 60 50 10',
      'read_cacheable test 500 60 125 10',
      'read_cacheable live 1000 60 250 10',
      'read_uncacheable test 100 60 25 10',
      'read_uncacheable live 200 60 50 10',
      'unauthorized test 100 60 25 10',
      'unauthorized live 100 60 25 10',
    ])
  })

  it('scale to whole points, at least one', () => {
    expect(scaleWindow({ points: 25, seconds: 10 }, 1.5)).toEqual({ points: 38, seconds: 10 })
    expect(scaleWindow({ points: 25, seconds: 10 }, 0.001)).toEqual({ points: 1, seconds: 10 })
  })

  it.each([0, -1, NaN, Infinity, 1_000_001])('refuse a scale of %d', (scale) => {
    expect(() => scaleWindow({ points: 25, seconds: 10 }, scale)).toThrow('above 0 and at most 1000000')
  })
})
