import { listPackages } from './lock-file.ts'

const resolution = { integrity: 'sha512-AAAA' }

it('knows what only packages of one platform need, which may be absent like them', () => {
  const packages = listPackages({
    importers: {
      'services/console': { devDependencies: { builder: { version: '1.0.0' } } },
      'services/core': {
        dependencies: { helper: { version: '1.0.0' }, '@merx/x': { version: 'link:../x' } },
      },
    },
    packages: {
      'builder@1.0.0': { resolution },
      'builder-wasm@1.0.0': { resolution, cpu: ['wasm32'] },
      'wasm-runtime@1.0.0': { resolution },
      'helper@1.0.0': { resolution },
    },
    snapshots: {
      'builder@1.0.0': {
        dependencies: { helper: '1.0.0' },
        optionalDependencies: { 'builder-wasm': '1.0.0' },
      },
      'builder-wasm@1.0.0': { dependencies: { 'wasm-runtime': '1.0.0', helper: '1.0.0' } },
    },
  })
  expect(packages.filter(({ isOfPlatform }) => isOfPlatform).map(({ name }) => name)).toEqual([
    'builder-wasm',
    'wasm-runtime',
  ])
  expect(packages.filter(({ isProduction }) => isProduction).map(({ name }) => name)).toEqual(['helper'])
})
