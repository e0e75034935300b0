/** The key of a database as a file beside it, `<filename>-key`: made at the first start, for its owner alone. */
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { SecretKey, SecretKeyRefused } from "@lectern/core/identity/SecretKey"
import { Effect, Redacted } from "effect"
import { makeFile } from "./NewFile.ts"

export const keyFileOf = (filename: string): string => `${filename}-key`

export const secretKeyFile = (filename: string): SecretKey["Service"] => {
  const path = keyFileOf(filename)
  const place = `the file ${basename(path)}`

  const read = (): Redacted.Redacted | undefined => {
    try {
      return Redacted.make(readFileSync(path, "utf8").trim())
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw thrown
    }
  }

  const attempt = <A>(run: () => A) =>
    Effect.try({
      try: run,
      catch: (thrown) => {
        const code = (thrown as NodeJS.ErrnoException).code ?? "unknown reason"
        return new SecretKeyRefused({
          message: `The key that secrets are sealed with can't be used: ${place}, ${code}`
        })
      }
    })

  return SecretKey.of({
    place,
    find: attempt(read),
    keep: (fresh) =>
      attempt(() => {
        makeFile(path, `${Redacted.value(fresh)}\n`)
        return read()!
      })
  })
}
