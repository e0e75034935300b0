/** Global setup of `pnpm test:postgres`: one server for all tests. */
import { PostgresServer } from "./PostgresServer.ts"

/** The first project of a run starts the server for all of them. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env["LECTERN_TEST_POSTGRES"] !== undefined) return undefined
  const server = await PostgresServer.start()
  process.env["LECTERN_TEST_POSTGRES"] = server.url()
  return () => server.stop()
}
