/** HTTP servers on loopback with any behavior. They stop with the scope. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface LocalServer {
  readonly port: number
  readonly url: string
  /** Returns the number of received requests. */
  readonly requests: () => number
}

export const serving = (listener: RequestListener, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<LocalServer & { readonly close: () => Promise<void> }>((resolve, reject) => {
          let requests = 0
          const server = createServer((request, response) => {
            requests++
            // The client may disconnect at any time.
            response.on("error", () => {})
            listener(request, response)
          })
          server.on("error", reject)
          server.listen(0, host, () => {
            const { port } = server.address() as AddressInfo
            const close = () =>
              new Promise<void>((done) => {
                server.close(() => done())
                server.closeAllConnections()
              })
            resolve({
              port,
              url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
              requests: () => requests,
              close
            })
          })
        })
    ),
    ({ close }) => Effect.promise(close)
  )
