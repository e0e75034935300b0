/**
 * How fast the young part of V8's heap grows. By default a start, whose work is over in a second,
 * grows it to 64 MB that an idle server then keeps; so it stays small until the server serves.
 */
import { setFlagsFromString } from "node:v8"

/** What V8 does by itself. */
const usual = 2

const grow = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** From here on it stays as it is. */
export const hold = () => grow(1)

/** From here on it grows with the work there is. */
export const release = () => grow(usual)
