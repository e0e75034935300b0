/** Values of settings that several have: each is read, or refused in a sentence. */
import { Effect, Result } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

export const wholeNumber = (
  name: string,
  text: string,
  { min = 0, max }: { readonly min?: number; readonly max: number }
): Effect.Effect<number, CommandFailed> =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
    ? Effect.succeed(Number(text))
    : Effect.fail(new CommandFailed({ message: `"${text}" is no ${name}: a whole number from ${min} to ${max}` }))

/** Without a slash at the end. */
export const urlOf = (name: string, text: string): Effect.Effect<string, CommandFailed> => {
  const url = Result.try(() => new URL(text))
  return Result.isSuccess(url) && (url.success.protocol === "http:" || url.success.protocol === "https:")
    ? Effect.succeed(text.replace(/\/+$/, ""))
    : Effect.fail(new CommandFailed({ message: `"${text}" is no ${name}: it begins with http:// or https://` }))
}

const switches: { readonly [word: string]: boolean } = {
  on: true,
  true: true,
  yes: true,
  "1": true,
  off: false,
  false: false,
  no: false,
  "0": false
}

export const onOrOff = (name: string, text: string): Effect.Effect<boolean, CommandFailed> => {
  const word = text.trim().toLowerCase()
  return Object.hasOwn(switches, word)
    ? Effect.succeed(switches[word]!)
    : Effect.fail(new CommandFailed({ message: `"${text}" is no ${name}: on or off` }))
}

/** Origins as browsers write them, or `*`, by comma. */
export const originsOf = (name: string, text: string): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.forEach(
    text.split(",").flatMap((one) => one.trim() || []),
    (one) => {
      const url = URL.parse(one)
      const isOrigin = one === "*" || (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
      return isOrigin
        ? Effect.succeed(url?.origin ?? one)
        : Effect.fail(
            new CommandFailed({
              message: `"${one}" in ${name} is no origin: one is https://app.example.com, or * for all`
            })
          )
    }
  )
