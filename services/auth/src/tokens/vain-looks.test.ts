import { countVainLooks, VAIN_LOOKS } from './vain-looks.ts'

describe('looks in vain', () => {
  it('are worth it until as many in a row found nothing, and again after one that found something', () => {
    const looks = countVainLooks()
    for (let count = 1; count < VAIN_LOOKS; count += 1) looks.record(false)
    expect(looks.isWorthLooking()).toBe(true)
    looks.record(false)
    expect(looks.isWorthLooking()).toBe(false)
    looks.record(true)
    expect(looks.isWorthLooking()).toBe(true)
    for (let count = 1; count < VAIN_LOOKS; count += 1) looks.record(false)
    expect(looks.isWorthLooking()).toBe(true)
  })
})
