/** Frame of the application's own pages. */
import type { ReactNode } from "react"

export const metadata = { title: "Acme" }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
