/** Lint rules: no `any`, no floating promises, small files, and imports that point one way (style.md B2). */
import importX, { createNodeResolver } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

const services = ['auth', 'console', 'core', 'metrics']

/** A service never imports another service; a package never imports a service or infra. */
const zones = [
  ...services.map((name) => ({
    target: `./services/${name}`,
    from: './services',
    except: [`./${name}`],
    message: 'a service never imports another service',
  })),
  {
    target: './packages',
    from: ['./services', './infra', './e2e'],
    message: 'a package never imports a service',
  },
  { target: './services', from: ['./infra', './e2e', './bench'], message: 'a service never imports infra' },
]

/** Names of libraries that only some folders may touch. */
const only = (files, names, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: names, message }] }] },
})

export default tseslint.config(
  { ignores: ['**/node_modules/**', '**/generated/**', '.merx/**', 'coverage/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/order': ['error', { alphabetize: { order: 'asc' }, 'newlines-between': 'never' }],
      'max-lines': ['error', { max: 400, skipComments: false }],
      'max-lines-per-function': [
        'error',
        { max: 80, skipBlankLines: true, skipComments: true, IIFEs: false },
      ],
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
    settings: {
      // without these two, imports that name a .ts file are not followed and cycles go unseen
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })],
    },
  },
  only(
    ['packages/jsonapi/src/**/*.ts'],
    ['express', 'pg', '@prisma/*', 'ioredis'],
    'jsonapi knows no transport and no database',
  ),
  only(
    [
      'services/*/src/{grants,clients,scopes,tokens,keys,roles,access,definitions,catalogue,request,plan,sql,present}/**/*.ts',
    ],
    ['express', 'pg', '@prisma/*', '@clickhouse/*', 'chdb', '**/generated/**'],
    'domain folders know no transport and no driver; use routes/, store/ or engine/',
  ),
  {
    files: [
      'services/core/src/{activity,bulk,catalogue,customers,events,inventory,markets,orders,payments,shipping,taxes}/**/*.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['MemberExpression', 'ChainExpression > MemberExpression'].map((member) => ({
          selector: `CallExpression[callee.name=/^(String|Number|Boolean)$/] > ${member}[computed=true][property.type='Literal']`,
          message: 'rows are typed: rowOf, columnsOf or run<RowOf<…>> (docs/adr/0075-typed-rows.md)',
        })),
      ],
    },
  },
  {
    files: ['**/*.test.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/main.ts', 'infra/**/*.ts', 'examples/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
