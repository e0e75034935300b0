/** The application's own page. */
export default function Page() {
  return (
    <main>
      <h1>Acme</h1>
      <a href="/help">Help</a>
    </main>
  )
}
