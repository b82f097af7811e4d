/**
 * Builds the page into `generated/`, or into the folder that is named: `node services/console/page/build.mjs [folder]`.
 * The same sources and dependencies give the same bytes; the names of the files hold a hash of their contents.
 */
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const root = import.meta.dirname

// Whatever the caller's is: React has another build for development.
process.env.NODE_ENV = 'production'

await build({
  root,
  mode: 'production',
  configFile: false,
  envDir: false,
  base: '/console/',
  logLevel: 'warn',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: path.resolve(process.argv[2] ?? path.join(root, 'generated')),
    emptyOutDir: true,
    target: 'es2022',
    // Everything has an address of its own: the policy of the page admits nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What is loaded with what, for the test of the sizes.
    manifest: true,
  },
})
