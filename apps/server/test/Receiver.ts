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
  readonly close: Loopback["close"]
  readonly #waiting: Array<() => void> = []
  readonly #refusals: Array<{ readonly isMeant: (received: Received) => boolean; readonly status: number }> = []

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
        response.writeHead(receiver.#take({ path: request.url ?? "", headers: request.headers, body })).end()
        for (const look of receiver.#waiting.splice(0)) look()
      })
    })
    receiver = new Receiver(await listen(server))
    return receiver
  }

  /** Answers the next of those that are meant with these statuses, one after the other; all others with 200. */
  refuse(isMeant: (received: Received) => boolean, ...statuses: ReadonlyArray<number>): void {
    for (const status of statuses) this.#refusals.push({ isMeant, status })
  }

  #take(received: Received): number {
    this.received.push(received)
    const at = this.#refusals.findIndex(({ isMeant }) => isMeant(received))
    return at === -1 ? 200 : this.#refusals.splice(at, 1)[0]!.status
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
