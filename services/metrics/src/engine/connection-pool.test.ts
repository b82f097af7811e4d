import { createConnectionPool } from './connection-pool.ts'

const open = (max: number) => {
  const opened: number[] = []
  const closed: number[] = []
  const pool = createConnectionPool({
    open: () => opened.push(opened.length + 1),
    closeOne: async (connection) => {
      closed.push(connection)
    },
    max,
  })
  return { pool, opened, closed }
}

describe('a pool of connections', () => {
  it('lends an open connection again', async () => {
    const { pool, opened } = open(3)
    const used = [await pool.use(async (one) => one), await pool.use(async (one) => one)]
    expect(used).toEqual([1, 1])
    expect(opened).toHaveLength(1)
  })

  it('opens no more than allowed and lends each to one piece of work, in order of arrival', async () => {
    const { pool, opened } = open(2)
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>())
    const lent: string[] = []
    const works = gates.map(({ promise }, index) =>
      pool.use(async (one) => {
        lent.push(`${index} on ${one}`)
        await promise
      }),
    )
    await Promise.resolve()
    expect(lent).toEqual(['0 on 1', '1 on 2'])
    gates[1]?.resolve(undefined)
    await works[1]
    gates[0]?.resolve(undefined)
    await works[0]
    gates[2]?.resolve(undefined)
    gates[3]?.resolve(undefined)
    await Promise.all(works)
    expect(lent).toEqual(['0 on 1', '1 on 2', '2 on 2', '3 on 1'])
    expect(opened).toHaveLength(2)
  })

  it('gets a connection back from work that failed', async () => {
    const { pool } = open(1)
    await expect(pool.use(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(pool.use(async (one) => one)).resolves.toBe(1)
  })

  it('closes what it opened', async () => {
    const { pool, closed } = open(2)
    await Promise.all([pool.use(async () => undefined), pool.use(async () => undefined)])
    await pool.close()
    expect(closed).toEqual([1, 2])
  })

  it('opens nothing any more when it is closed', async () => {
    const { pool, opened } = open(2)
    await pool.close()
    await expect(pool.use(async (one) => one)).rejects.toThrow('its connections are closed')
    expect(opened).toEqual([])
  })
})
