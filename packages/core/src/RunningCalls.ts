/**
 * Calls of a host that run: what is closed waits for them, and takes no more. They are waited for however they end.
 */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Waits for this one at the end. */
  add<A>(call: Promise<A>): Promise<A> {
    this.#running.add(call)
    const done = () => this.#running.delete(call)
    call.then(done, done)
    return call
  }

  /** Resolves when all that run have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
  }
}
