/** Something on the loopback that is sent requests, as a website outside would be. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class Receiver {
  readonly url: string
  readonly received: Array<Received> = []
  /** What it answers, to the next request first; 200 behind them. */
  readonly statuses: Array<number> = []
  readonly close: () => Promise<void>
  readonly #waiting: Array<() => void> = []

  private constructor(server: ReturnType<typeof createServer>) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.close = async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }

  static async open(): Promise<Receiver> {
    let receiver: Receiver
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString()
        receiver.received.push({ path: request.url ?? "", headers: request.headers, body })
        response.writeHead(receiver.statuses.shift() ?? 200).end()
        for (const look of receiver.#waiting.splice(0)) look()
      })
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    receiver = new Receiver(server)
    return receiver
  }

  /** The first so many requests that are what is waited for, once they are there. */
  async until(isIt: (received: Received) => boolean, count = 1): Promise<ReadonlyArray<Received>> {
    for (;;) {
      const found = this.received.filter(isIt)
      if (found.length >= count) return found
      await new Promise<void>((look) => this.#waiting.push(look))
    }
  }
}
