import { loadSettings } from './settings.ts'

describe('the settings of the one-command system', () => {
  it('have defaults for everything', () => {
    expect(loadSettings({}, '/merx')).toMatchObject({
      merxBasePort: 8080,
      merxAuthPort: 8081,
      merxHost: '127.0.0.1',
      dataFolder: '/merx/.merx',
      merxDemo: true,
      merxDemoOrders: 50_000,
    })
  })

  it('keep an absolute data folder', () => {
    expect(loadSettings({ MERX_DATA_DIR: '/data' }, '/merx').dataFolder).toBe('/data')
  })

  it('are refused all at once, naming each variable and what is allowed', () => {
    expect(() => loadSettings({ MERX_BASE_PORT: 'x', MERX_DEMO_ORDERS: '0' }, '/merx')).toThrow(
      /MERX_BASE_PORT is "x"; allowed: a port.*MERX_DEMO_ORDERS is "0"; allowed: a whole number, 1 or more/,
    )
  })
})
