/** The addresses of the console. Screens are loaded when somebody goes there. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { readOrderSearch } from './orders/order-search.ts'
import { Problems } from './parts/problems.tsx'
import { readRecordSearch } from './records/record-search.ts'
import { Shell, type ShellProps } from './shell.tsx'

const root = createRootRouteWithContext<ShellProps>()({
  component: () => <Shell {...root.useRouteContext()} />,
  errorComponent: ({ error }) => <Problems error={error} />,
  notFoundComponent: () => <h1 className="text-xl font-semibold">There is nothing at this address.</h1>,
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

export const createConsoleRouter = (context: ShellProps) =>
  createRouter({
    routeTree: root.addChildren([home, ordersRoute, orderRoute, records, recordsOfType, record]),
    basepath: '/console',
    context,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
