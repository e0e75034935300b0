/** Types and schema of encrypted fields of rows. Only `Secrets` encrypts and decrypts them. */
import { Schema } from "effect"

declare const content: unique symbol

/** Ciphertext of a value of type `A`. */
export type Sealed<A = any> = string & { readonly [content]: A }

/** Schema of a field with a ciphertext. Its table lists the field in `sealed`. */
export const sealed = <A>(): Schema.Codec<Sealed<A>, string> =>
  Schema.String as unknown as Schema.Codec<Sealed<A>, string>
