/**
 * How fast the young part of V8's heap grows. By default a start, whose work is over in a second,
 * grows it to 64 MB that an idle server then keeps; so it stays small until the server serves.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** V8's own factor. */
const usual = 2

const grow = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Known to all copies of this module in the process: the binary has two. */
const held = Symbol.for("@lectern/server/HeapGrowth")
const place = globalThis as { [held]?: boolean }

/** From here on it stays as it is. */
export const hold = () => {
  place[held] = true
  grow(1)
}

/** From here on it grows with the work there is. */
export const release = () => {
  place[held] = false
  grow(usual)
}

/** Runs something under V8's own flags, as it wants them where it takes code that was compiled before. */
export const usually = <A>(run: () => A): A => {
  if (place[held] !== true) return run()
  grow(usual)
  try {
    return run()
  } finally {
    grow(1)
  }
}

type Collect = (options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void

/** Gives back what V8 keeps otherwise: 40 MB of a start, 200 MB after large work. Takes 0.1 to 0.3 s. */
export const giveBack = () => {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  // Under another flag V8 would take no code that was compiled before.
  setFlagsFromString("--no-expose-gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}
