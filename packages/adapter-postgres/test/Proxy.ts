/** Connection between a client and a server that tests cut, hold, or cut at a certain message. */
import { once } from "node:events"
import { rmSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"

export class Proxy {
  /** True while nothing is forwarded. */
  isHeld = false
  /**
   * Cuts the connection of the next message to the server that contains the text: before the server receives it, or
   * instead of its response.
   */
  cutAt: { readonly text: string; readonly when: "before" | "after" } | undefined
  /** Number of cuts by `cutAt`. */
  cuts = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
  }

  /** Forwards connections at a socket in `folder` to the server at `target`. */
  static async start(folder: string, target: string): Promise<Proxy> {
    const server = createServer()
    const proxy = new Proxy(server)
    server.on("connection", (client) => proxy.#forward(client, connect(`${target}/.s.PGSQL.5432`)))
    const path = `${folder}/.s.PGSQL.5432`
    rmSync(path, { force: true })
    server.listen(path)
    await once(server, "listening")
    return proxy
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, "close")
  }

  #forward(client: Socket, server: Socket): void {
    let isLosing = false
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on("error", end)
      socket.on("close", () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    client.on("data", (data) => {
      if (this.isHeld) return
      const isCut = this.cutAt !== undefined && data.includes(this.cutAt.text)
      if (isCut) {
        isLosing = true
        this.cuts++
        const { when } = this.cutAt!
        this.cutAt = undefined
        if (when === "before") return end()
      }
      server.write(data)
    })
    server.on("data", (data) => {
      if (this.isHeld) return
      if (isLosing) {
        // `Z`, 5 bytes: the server has finished a statement. The last one was the commit if no data follows.
        if (data.includes("COMMIT\0")) end()
      } else client.write(data)
    })
  }
}
