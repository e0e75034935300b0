/** Running calls of a host. After `close`, no calls are accepted, and running ones are awaited. */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Adds a call that `close` waits for. */
  add<A>(call: Promise<A>): Promise<A> {
    this.#running.add(call)
    const done = () => this.#running.delete(call)
    call.then(done, done)
    return call
  }

  /** Resolves when all running calls have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
  }
}
