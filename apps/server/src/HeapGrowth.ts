/**
 * How fast the young part of V8's heap grows. By default a start, whose work is over in a second,
 * grows it to 64 MB that an idle server then keeps; so it stays small until the server serves.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** V8's own factor. */
const usual = 2

const grow = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** From here on it stays as it is. */
export const hold = () => grow(1)

/** From here on it grows with the work there is. */
export const release = () => grow(usual)

type Collect = (options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void

/** Gives back what the import of the manual took, some 40 MB that V8 keeps otherwise. Takes 0.1 s. */
export const giveBack = () => {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}
