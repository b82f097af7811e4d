import { createFakeClock } from './fake-clock.ts'

describe('fake clock', () => {
  it('stands still until it is moved', () => {
    const clock = createFakeClock('2026-03-01T00:00:00Z')
    expect(clock.now()).toEqual(clock.now())
    clock.advance(61.5)
    expect(clock.now()).toEqual(new Date('2026-03-01T00:01:01.500Z'))
    clock.set('2026-03-02T00:00:00Z')
    expect(clock.now()).toEqual(new Date('2026-03-02T00:00:00Z'))
  })

  it('never goes back and takes only instants', () => {
    const clock = createFakeClock()
    expect(() => clock.advance(-1)).toThrow('never goes back')
    expect(() => createFakeClock('soon')).toThrow('soon is not an instant')
  })
})
