import { networks } from './networks.ts'

test.each([
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['127.0.0.0/8, ::1/128', ['127.0.0.0/8', '::1/128']],
  ['none', []],
])('%s is a list of networks', (raw, value) => {
  expect(networks().parse(raw)).toEqual({ ok: true, value })
})

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '::1/129',
  'example.com/8',
  '10.0.0.0/8,',
  '10.0.0.0/8/8',
  '10.0.0.0/x',
])('refuses %s and says which entry is wrong', (raw) => {
  expect(networks().parse(raw)).toEqual({
    ok: false,
    reason: expect.stringMatching(/^entry [12] is ".*"$/) as unknown,
  })
})

test('refuses more entries than anybody writes on purpose', () => {
  const raw = Array.from({ length: 51 }, () => '10.0.0.0/8').join()
  expect(networks().parse(raw)).toEqual({ ok: false, reason: 'has 51 entries' })
})

test('the default is shown as it would be written', () => {
  expect(networks({ default: [] }).defaultText).toBe('none')
  expect(networks({ default: ['10.0.0.0/8'] }).defaultText).toBe('10.0.0.0/8')
})
