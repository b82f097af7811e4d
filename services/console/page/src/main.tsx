/** Begins the page: who is signed in decides what is shown. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { configureCore } from './data/api.ts'
import { mayRetry, retryDelay } from './data/retry.ts'
import { loadSession, SessionOver } from './data/session.ts'
import { loadLanguage } from './language/language.ts'
import { Problems } from './parts/problems.tsx'
import { createConsoleRouter } from './router.tsx'
import { SignIn } from './sign-in.tsx'

const queries = new QueryClient({
  defaultOptions: { queries: { retry: mayRetry, retryDelay } },
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof SessionOver) window.location.reload()
    },
  }),
})

const element = document.getElementById('page')
if (element === null) throw new Error('index.html has no place for the page')
const page = createRoot(element)

const begin = async (): Promise<void> => {
  const [{ session, environments }] = await Promise.all([loadSession(), loadLanguage()])
  if (session === null) {
    page.render(<SignIn environments={environments} />)
    return
  }
  configureCore(session)
  page.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={createConsoleRouter({ session, environments })} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

begin().catch((error: unknown) => page.render(<Problems error={error} />))
