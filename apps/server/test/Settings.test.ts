/** Secrets that are in files, as containers and systemd hand them over. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Config, Effect, Redacted } from "effect"
import { environment } from "../src/Settings.ts"

const key = Config.Redacted("LECTERN_SECRET_KEY")

const read = (env: Record<string, string>) => Effect.scoped(Effect.provide(key, environment(env)))

it.effect("come from the file that a variable names, or from the variable itself, and not from both", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "lectern-settings-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const file = join(folder, "key")
    writeFileSync(file, "the key in a file\n")
    const found = yield* read({ LECTERN_SECRET_KEY_FILE: file, LECTERN_SECRET_KEY: " " })
    assert.strictEqual(Redacted.value(found), "the key in a file")
    assert.strictEqual(Redacted.value(yield* read({ LECTERN_SECRET_KEY: "itself" })), "itself")
    const both = yield* Effect.flip(read({ LECTERN_SECRET_KEY_FILE: file, LECTERN_SECRET_KEY: "itself" }))
    assert.match(both.message, /are both set: set one of them/)
    const none = yield* Effect.flip(read({ LECTERN_SECRET_KEY_FILE: join(folder, "none") }))
    assert.match(none.message, /LECTERN_SECRET_KEY_FILE names can't be read: ENOENT/)
  })
)
