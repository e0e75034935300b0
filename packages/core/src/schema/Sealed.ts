/** A value that stands in a row as a ciphertext: made and read by `Secrets` alone. */
import { Schema } from "effect"

declare const content: unique symbol

/** The ciphertext of a value of this type. */
export type Sealed<A = any> = string & { readonly [content]: A }

/** The schema of a field that holds one. Its table declares the field as `sealed`. */
export const sealed = <A>(): Schema.Codec<Sealed<A>, string> =>
  Schema.String as unknown as Schema.Codec<Sealed<A>, string>
