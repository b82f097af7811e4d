/** The addresses of the console. Screens are loaded when somebody goes there. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readReferenceSearch, readRequestSearch } from './developers/developers-search.ts'
import { t } from './language/text.ts'
import { readOrderSearch } from './orders/order-search.ts'
import { Problems } from './parts/problems.tsx'
import { readTextSearch } from './parts/text-search.ts'
import { readProductSearch } from './products/product-search.ts'
import { readRecordSearch } from './records/record-search.ts'
import { Shell, type ShellProps } from './shell/shell.tsx'
import { readWebhookSearch } from './webhooks/webhook-search.ts'

const root = createRootRouteWithContext<ShellProps>()({
  component: () => <Shell {...root.useRouteContext()} />,
  errorComponent: ({ error }) => <Problems error={error} />,
  notFoundComponent: () => (
    <h1 className="text-xl font-semibold">{t('There is nothing at this address.')}</h1>
  ),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})

export const ordersRoute = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrderSearch,
  component: lazyRouteComponent(() => import('./orders/order-list.tsx'), 'OrderList'),
})

export const orderRoute = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
})

const products = createRoute({
  getParentRoute: () => root,
  path: '/products',
  validateSearch: readProductSearch,
  component: lazyRouteComponent(() => import('./products/products.tsx'), 'Products'),
})

const product = createRoute({
  getParentRoute: () => root,
  path: '/products/$id',
  component: lazyRouteComponent(() => import('./products/product-page.tsx'), 'ProductPage'),
})

const records = createRoute({
  getParentRoute: () => root,
  path: '/records',
  component: lazyRouteComponent(() => import('./records/all-types.tsx'), 'AllTypes'),
})

const recordsOfType = createRoute({
  getParentRoute: () => root,
  path: '/records/$type',
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(() => import('./records/record-list.tsx'), 'RecordList'),
})

const record = createRoute({
  getParentRoute: () => root,
  path: '/records/$type/$id',
  component: lazyRouteComponent(() => import('./records/record-page.tsx'), 'RecordPage'),
})

const bulk = createRoute({
  getParentRoute: () => root,
  path: '/bulk',
  component: lazyRouteComponent(() => import('./bulk/bulk.tsx'), 'Bulk'),
})

const bulkHome = createRoute({
  getParentRoute: () => bulk,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/bulk/imports', throw: true })
  },
})

const imports = createRoute({
  getParentRoute: () => bulk,
  path: '/imports',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('./bulk/job-list.tsx'), 'ImportList'),
})

const newImport = createRoute({
  getParentRoute: () => bulk,
  path: '/imports/new',
  component: lazyRouteComponent(() => import('./bulk/new-import.tsx'), 'NewImport'),
})

const importRoute = createRoute({
  getParentRoute: () => bulk,
  path: '/imports/$id',
  component: lazyRouteComponent(() => import('./bulk/import-page.tsx'), 'ImportPage'),
})

const exports = createRoute({
  getParentRoute: () => bulk,
  path: '/exports',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('./bulk/job-list.tsx'), 'ExportList'),
})

const newExport = createRoute({
  getParentRoute: () => bulk,
  path: '/exports/new',
  component: lazyRouteComponent(() => import('./bulk/new-export.tsx'), 'NewExport'),
})

const exportRoute = createRoute({
  getParentRoute: () => bulk,
  path: '/exports/$id',
  component: lazyRouteComponent(() => import('./bulk/export-page.tsx'), 'ExportPage'),
})

const bulkRoutes = bulk.addChildren([
  ...([bulkHome, imports, newImport, importRoute, exports, newExport, exportRoute] as const),
])

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhook-list.tsx'), 'WebhookList'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const delivery = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id/deliveries/$delivery',
  component: lazyRouteComponent(() => import('./webhooks/delivery-page.tsx'), 'DeliveryPage'),
})

const metrics = createRoute({
  getParentRoute: () => root,
  path: '/metrics',
  component: lazyRouteComponent(() => import('./metrics/metrics.tsx'), 'Metrics'),
})

const metricsQuestion = createRoute({
  getParentRoute: () => metrics,
  path: '/',
  // It is read there: what can be asked is loaded with the screen.
  validateSearch: (raw: Readonly<Record<string, unknown>>) => raw,
  component: lazyRouteComponent(() => import('./metrics/question-screen.tsx'), 'QuestionScreen'),
})

const metricsDashboard = createRoute({
  getParentRoute: () => metrics,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./metrics/dashboard.tsx'), 'Dashboard'),
})

const metricsRoutes = metrics.addChildren([metricsQuestion, metricsDashboard])

const newRecord = createRoute({
  getParentRoute: () => root,
  path: '/records/$type/new',
  component: lazyRouteComponent(() => import('./records/new-record.tsx'), 'NewRecord'),
})

const editRecord = createRoute({
  getParentRoute: () => root,
  path: '/records/$type/$id/edit',
  component: lazyRouteComponent(() => import('./records/edit-record.tsx'), 'EditRecord'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings'),
})

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/settings/users', throw: true })
  },
})

const users = createRoute({
  getParentRoute: () => settings,
  path: '/users',
  component: lazyRouteComponent(() => import('./settings/users.tsx'), 'Users'),
})

const roles = createRoute({
  getParentRoute: () => settings,
  path: '/roles',
  component: lazyRouteComponent(() => import('./settings/roles.tsx'), 'Roles'),
})

const role = createRoute({
  getParentRoute: () => settings,
  path: '/roles/$id',
  component: lazyRouteComponent(() => import('./settings/role-page.tsx'), 'RolePage'),
})

const credentials = createRoute({
  getParentRoute: () => settings,
  path: '/credentials',
  component: lazyRouteComponent(() => import('./settings/credentials.tsx'), 'Credentials'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('./settings/audit.tsx'), 'Audit'),
})

const settingsRoutes = settings.addChildren([settingsHome, users, roles, role, credentials, audit])

const developers = createRoute({
  getParentRoute: () => root,
  path: '/developers',
  component: lazyRouteComponent(() => import('./developers/developers.tsx'), 'Developers'),
})

const developersHome = createRoute({
  getParentRoute: () => developers,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/developers/reference', search: { service: 'core' }, throw: true })
  },
})

const reference = createRoute({
  getParentRoute: () => developers,
  path: '/reference',
  validateSearch: readReferenceSearch,
  component: lazyRouteComponent(() => import('./developers/reference.tsx'), 'Reference'),
})

const request = createRoute({
  getParentRoute: () => developers,
  path: '/request',
  validateSearch: readRequestSearch,
  component: lazyRouteComponent(() => import('./developers/request.tsx'), 'RequestConsole'),
})

const limits = createRoute({
  getParentRoute: () => developers,
  path: '/limits',
  component: lazyRouteComponent(() => import('./developers/limits.tsx'), 'Limits'),
})

const developersRoutes = developers.addChildren([developersHome, reference, request, limits])

export const createConsoleRouter = (context: ShellProps) =>
  createRouter({
    routeTree: root.addChildren([
      home,
      ordersRoute,
      orderRoute,
      products,
      product,
      records,
      recordsOfType,
      record,
      bulkRoutes,
      webhooks,
      webhook,
      delivery,
      metricsRoutes,
      newRecord,
      editRecord,
      settingsRoutes,
      developersRoutes,
    ]),
    basepath: '/console',
    context,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
