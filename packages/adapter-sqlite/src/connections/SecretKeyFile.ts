/**
 * Secret key of a database as a file next to it, `<filename>-key`. Created at the first start, readable by its owner
 * only. During a key rotation the next key is in `<filename>-key-next`.
 */
import { readFileSync, renameSync } from "node:fs"
import { basename, dirname } from "node:path"
import { SecretKey, InvalidSecretKey } from "@lectern/core/identity/SecretKey"
import { Effect, Redacted } from "effect"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { makeFile, syncFolder } from "./PrivateFiles.ts"

export const keyFileOf = (filename: string): string => `${filename}-key`

export const nextKeyFileOf = (filename: string): string => `${keyFileOf(filename)}-next`

export const secretKeyFile = (filename: string): SecretKey["Service"] => {
  const path = keyFileOf(filename)
  const nextPath = nextKeyFileOf(filename)
  const location = `the file ${basename(path)}`

  const read = (path: string): Redacted.Redacted | undefined => {
    try {
      return Redacted.make(readFileSync(path, "utf8").trim())
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw thrown
    }
  }

  const make = (path: string, newKey: Redacted.Redacted): Redacted.Redacted => {
    makeFile(path, `${Redacted.value(newKey)}\n`)
    return read(path)!
  }

  const attempt = <A>(run: () => A) =>
    Effect.try({
      try: run,
      catch: (thrown) =>
        new InvalidSecretKey({
          message: `The secret key can't be used: ${location}, ${fileErrorReason(thrown)}`
        })
    })

  return SecretKey.of({
    location,
    find: attempt(() => [read(path), read(nextPath)].filter((key) => key !== undefined)),
    store: (newKey) => attempt(() => make(path, newKey)),
    prepare: (newKey) => attempt(() => make(nextPath, newKey)),
    replace: attempt(() => {
      if (read(nextPath) === undefined) return
      renameSync(nextPath, path)
      syncFolder(dirname(path))
    })
  })
}
