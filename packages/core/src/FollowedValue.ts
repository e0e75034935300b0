/**
 * A value that follows a host's function through everything that it awaits, in runtimes with `AsyncLocalStorage` of
 * Node.js (Node.js, Bun, Deno). In other runtimes `get` always returns undefined.
 */
interface AsyncLocalStorage<A> {
  readonly run: <B>(value: A, body: () => B) => B
  readonly getStore: () => A | undefined
}

interface AsyncHooks {
  readonly AsyncLocalStorage: new <A>() => AsyncLocalStorage<A>
}

const { process } = globalThis as {
  readonly process?: { readonly getBuiltinModule?: (name: string) => AsyncHooks | undefined }
}
const asyncHooks = process?.getBuiltinModule?.("node:async_hooks")

export interface FollowedValue<A> {
  /** Runs a function. While it runs, and in all that it starts, `get` returns the value. */
  readonly run: <B>(value: A, body: () => B) => B
  readonly get: () => A | undefined
}

export const make = <A>(): FollowedValue<A> => {
  if (asyncHooks === undefined) return { run: (_, body) => body(), get: () => undefined }
  const storage = new asyncHooks.AsyncLocalStorage<A>()
  return { run: (value, body) => storage.run(value, body), get: () => storage.getStore() }
}
