/** Something on the loopback that is sent requests, as a website outside would be. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { listen, type Loopback } from "./Loopback.ts"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class Receiver {
  readonly url: string
  readonly received: Array<Received> = []
  /** Statuses of its answers, that to the next request first; 200 behind them. */
  readonly statuses: Array<number> = []
  readonly close: Loopback["close"]
  readonly #waiting: Array<() => void> = []

  private constructor({ url, close }: Loopback) {
    this.url = url
    this.close = close
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
    receiver = new Receiver(await listen(server))
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
