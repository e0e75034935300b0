import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { I18nProvider } from "react-aria-components"
import { client } from "./api/Queries.ts"
import { Notices } from "./frame/Notices.tsx"
import { locale } from "./language/Language.ts"
import { router } from "./Routes.tsx"

export const App = () => (
  <I18nProvider locale={locale()}>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <Notices />
    </QueryClientProvider>
  </I18nProvider>
)
