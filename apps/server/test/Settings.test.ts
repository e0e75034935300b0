/** Settings from all of their sources: which of them counts, what is refused, what the manual says of them. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type CommandFlags, serverSettings } from "../src/settings/Settings.ts"
import { variableOf } from "../src/settings/Setting.ts"
import { Environment } from "../src/settings/SettingSources.ts"
import { serverTable } from "../src/settings/SettingTable.ts"
import { openSecrets, unknownVariables } from "../src/StartWarnings.ts"

type Flags = Partial<Record<keyof typeof serverTable | "config", string>>

const given = (flags: Flags) =>
  ({
    ...Object.fromEntries(
      [...Object.keys(serverTable), "config"].map((key) => [key, Option.fromNullishOr(flags[key as keyof Flags])])
    ),
    json: false
  }) as CommandFlags<typeof serverTable>

const read = (env: Record<string, string>, flags: Flags = {}) =>
  Effect.provideService(serverSettings(given(flags)), Environment, env)

const refusal = (env: Record<string, string>, flags?: Flags) =>
  Effect.map(Effect.flip(read(env, flags)), ({ message }) => message)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-settings-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Writes a settings file, and gives its path. */
const written = (toml: string) =>
  Effect.map(folder, (folder) => {
    const path = join(folder, "settings.toml")
    writeFileSync(path, toml, { mode: 0o600 })
    return path
  })

const key = "k".repeat(40)

describe("Settings", () => {
  it.effect("come from flags, then the environment, then the file, and say so", () =>
    Effect.gen(function* () {
      const config = yield* written(`
        port = 5001
        rate-limit = 60
        host = "0.0.0.0"
        check-links = true
        cors-origins = ["https://a.example.com", "https://b.example.com"]
        public-url = "https://docs.example.com/"
        access-log = ""
      `)
      const env = { LECTERN_CONFIG: config, LECTERN_PORT: "5002", LECTERN_RATE_LIMIT: "70", LECTERN_HOST: " " }
      const { settings, sources: found } = yield* read(env, { port: "5003", host: "", secretKey: "", logLevel: " " })
      assert.deepInclude(settings, {
        port: 5003,
        rateLimit: 70,
        host: "0.0.0.0",
        checkLinks: true,
        corsOrigins: ["https://a.example.com", "https://b.example.com"],
        publicUrl: "https://docs.example.com",
        catalogue: true
      })
      assert.notProperty(settings, "accessLog")
      const whence = (name: string) => [found.get(name)?.source, found.get(name)?.label]
      assert.deepStrictEqual(whence("port"), ["flag", "--port"])
      assert.deepStrictEqual(whence("rateLimit"), ["environment", "LECTERN_RATE_LIMIT"])
      assert.deepStrictEqual(whence("host"), ["file", `host in ${config}`])
      assert.deepStrictEqual(whence("catalogue"), ["default", "default"])
    })
  )

  it.effect("of a file that can't be meant are refused by name", () =>
    Effect.gen(function* () {
      for (const [toml, about] of [
        ["rate_limit = 5", /^rate_limit in .*settings\.toml is not a setting: did you mean rate-limit\?$/],
        ["frobnicate = 5", /^frobnicate in .*settings\.toml is not a setting$/],
        ["s = 5", /^s in .*settings\.toml is not a setting$/],
        ["hots = 'a'", /^hots in .*settings\.toml is not a setting: did you mean host\?$/],
        [
          "[backup]\nfolder = 'b'",
          /^backup in .* has to be a text, a whole number, true or false, or a list of texts$/
        ],
        ["port = 70000", /^port in .*settings\.toml is "70000", and has to be a whole number from 0 to 65535$/],
        ["port = 1.5", /^port in .* has to be a text/],
        ['data = "a\\u0000b"', /^data in .*settings\.toml contains the character NUL/],
        [`port = 1\nsecret-key = "${key}`, /^The settings file .*settings\.toml is not valid TOML, line 2: /],
        [`secret-key = "${key} "\nport = 1`, /^secret-key in .* has to be 32 to 256 characters/],
        [`secret-key = "${key}"\nsecret-key-file = "/x"`, /secret-key in .* and secret-key-file in .* are both set/]
      ] as const) {
        const message = yield* refusal({}, { config: yield* written(toml) })
        assert.match(message, about)
        assert.notInclude(message, key)
      }
      assert.match(
        yield* refusal({ LECTERN_CONFIG: "/nowhere/x.toml" }),
        /\/nowhere\/x\.toml can't be read: it does not exist/
      )
      const latin = yield* written("")
      writeFileSync(latin, Buffer.from(`data = "caf\u00e9"`, "latin1"))
      assert.match(yield* refusal({ LECTERN_CONFIG: latin }), /can't be read: it is not valid UTF-8$/)
      writeFileSync(latin, "\ufeffport = 1\r\n")
      assert.strictEqual((yield* read({ LECTERN_CONFIG: latin })).settings.port, 1)
      assert.match(yield* refusal({ LECTERN_CONFIG: import.meta.dirname }), /can't be read: it is a folder$/)
      assert.match(yield* refusal({ LECTERN_CONFIG: "/dev/zero" }), /can't be read: it is larger than 1024 KiB$/)
      for (const user of ["me", "me:secret", "me:se/cr@t"]) {
        assert.include(
          yield* refusal({ LECTERN_INTEGRATIONS_URL: `https://${user}@docs.example.com` }),
          'LECTERN_INTEGRATIONS_URL is "https://…@docs.example.com", and has to be a URL '
        )
      }
      for (const [name, value] of [
        ["LECTERN_LOG_LEVEL", "loud"],
        ["LECTERN_PUBLIC_URL", "docs.example.com"],
        ["LECTERN_PUBLIC_URL", "https://docs.example.com/?a=b"],
        ["LECTERN_PUBLIC_URL", "https://docs.example.com/?"],
        ["LECTERN_SITES_URL", "https://docs.example.com/#top"],
        ["LECTERN_ALLOWED_PRIVATE_HOSTS", "specs.internal,10.0.0.0/33"],
        ["LECTERN_ALLOWED_PRIVATE_HOSTS", "http://specs.internal/openapi"],
        ["LECTERN_ALLOWED_PRIVATE_HOSTS", "specs.internal:8080"],
        ["LECTERN_ALLOWED_PRIVATE_HOSTS", "10.0.0.300"],
        ["LECTERN_ALLOWED_PRIVATE_HOSTS", "*.internal"],
        ["LECTERN_CHECK_LINKS", "sometimes"],
        ["LECTERN_CATALOGUE", "some"],
        ["LECTERN_RATE_LIMIT", "-1"],
        ["LECTERN_CORS_ORIGINS", "https://app.example.com/path"],
        ["LECTERN_CREATE_ORGANIZATIONS", "nobody"],
        ["LECTERN_ORGANIZATIONS_PER_USER", "many"]
      ] as const) {
        assert.include(yield* refusal({ [name]: value }), `${name} is "${value}", and has to be `)
      }
    })
  )

  it.effect("name private hosts by names, addresses and ranges", () =>
    Effect.gen(function* () {
      const hosts = ["localhost", "specs_2.internal.", "10.0.0.7", "fd00::/8", "[::1]", "192.168.0.0/16"]
      const { settings } = yield* read({ LECTERN_ALLOWED_PRIVATE_HOSTS: hosts.join(", ") })
      assert.deepStrictEqual(settings.allowedPrivateHosts, hosts)
    })
  )

  it.effect("let no two listen at one port", () =>
    Effect.gen(function* () {
      const of = (port: string, integrations: string, metrics: string, more: Record<string, string> = {}) => ({
        LECTERN_PORT: port,
        LECTERN_INTEGRATIONS_PORT: integrations,
        LECTERN_METRICS_PORT: metrics,
        ...more
      })
      assert.strictEqual(
        yield* refusal({ LECTERN_METRICS_PORT: "4000" }),
        "LECTERN_PORT and LECTERN_METRICS_PORT are both 4000: choose two different ports"
      )
      for (const [env, both] of [
        [of("5000", "5000", "5001"), "LECTERN_PORT and LECTERN_INTEGRATIONS_PORT"],
        [of("5000", "5001", "5001"), "LECTERN_INTEGRATIONS_PORT and LECTERN_METRICS_PORT"],
        [of("5000", "5001", "5000", { LECTERN_HOST: "0.0.0.0" }), "LECTERN_PORT and LECTERN_METRICS_PORT"]
      ] as const) {
        assert.include(yield* refusal(env), both)
      }
      for (const env of [
        of("0", "0", "0"),
        of("5000", "5001", "5000", { LECTERN_METRICS_HOST: "127.0.0.2" }),
        of("5000", "5001", "5000", { LECTERN_SOCKET: "x.sock", LECTERN_PUBLIC_URL: "https://docs.example.com" })
      ]) {
        yield* read(env)
      }
    })
  )

  it.effect("keep sites and integrations away from the interface's hostname", () =>
    Effect.gen(function* () {
      const LECTERN_PUBLIC_URL = "https://lectern.example.com"
      const own = "LECTERN_SITES_URL needs a hostname of its own: lectern.example.com is the interface's"
      const of = (LECTERN_SITES_URL: string, more: Record<string, string> = {}) =>
        refusal({ LECTERN_PUBLIC_URL, LECTERN_SITES_URL, ...more })
      assert.strictEqual(yield* of("https://lectern.example.com/sites"), own)
      assert.match(
        yield* of("https://*.example.com"),
        /^LECTERN_SITES_URL needs hostnames of its own: lectern\.example/
      )
      assert.match(yield* of("https://*.docs.example.com/x"), /^LECTERN_SITES_URL may have \* as the first name/)
      assert.match(
        yield* of("https://docs.example.com", { LECTERN_INTEGRATIONS_URL: "https://docs.example.com:8443" }),
        /^LECTERN_INTEGRATIONS_URL needs a separate hostname: docs\.example\.com is the hostname of sites/
      )
      for (const LECTERN_SITES_URL of ["https://docs.example.com", "https://*.docs.example.com"]) {
        const { settings } = yield* read({ LECTERN_PUBLIC_URL, LECTERN_SITES_URL })
        assert.strictEqual(settings.sitesUrl, LECTERN_SITES_URL)
      }
    })
  )

  it.effect("that are secret come from a file that is named, or by themselves, and not both", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "key")
      writeFileSync(file, `${key}\n`)
      const secretOf = (env: Record<string, string>, flags?: Flags) =>
        Effect.map(read(env, flags), ({ settings }) => Redacted.value(settings.secretKey!))
      assert.strictEqual(yield* secretOf({ LECTERN_SECRET_KEY_FILE: file, LECTERN_SECRET_KEY: " " }), key)
      assert.strictEqual(yield* secretOf({ LECTERN_SECRET_KEY: key }), key)
      const config = yield* written(`secret-key-file = ${JSON.stringify(file)}`)
      assert.strictEqual(yield* secretOf({}, { config }), key)
      const other = "o".repeat(40)
      assert.strictEqual(yield* secretOf({ LECTERN_SECRET_KEY: other }, { config }), other)
      const both = yield* refusal({ LECTERN_SECRET_KEY_FILE: file, LECTERN_SECRET_KEY: key })
      assert.match(both, /are both set: set one of them/)
      // One that came to nothing is no reason to make a key of its own, and to leave it beside the data.
      writeFileSync(file, "\n")
      assert.match(yield* refusal({ LECTERN_SECRET_KEY_FILE: file }), /LECTERN_SECRET_KEY_FILE names is empty$/)
      const none = yield* refusal({ LECTERN_SECRET_KEY_FILE: join(file, "none") })
      assert.match(
        none,
        /LECTERN_SECRET_KEY_FILE names can't be read: a file has its name, or the name of a parent folder/
      )
    })
  )

  it.effect("come from a pipe that is written to, and none waits for a writer without end", () =>
    Effect.gen(function* () {
      const pipe = join(yield* folder, "pipe")
      execFileSync("mkfifo", [pipe])
      const written = Effect.fnUntraced(function* (env: Record<string, string>, text: string) {
        const reading = yield* Effect.forkChild(refusal(env))
        yield* TestClock.adjust("5 seconds")
        assert.match(yield* Fiber.join(reading), /can't be read: the pipe was not complete within 5 seconds/)
        const file = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
        writeSync(file, text)
        const told = yield* Effect.forkChild(read(env))
        yield* TestClock.adjust("10 millis")
        closeSync(file)
        yield* TestClock.adjust("10 millis")
        return (yield* Fiber.join(told)).settings
      })
      const { secretKey } = yield* written({ LECTERN_SECRET_KEY_FILE: pipe }, `${key}\n`)
      assert.strictEqual(Redacted.value(secretKey!), key)
      assert.strictEqual((yield* written({ LECTERN_CONFIG: pipe }, "port = 4711\n")).port, 4711)
    })
  )

  it.effect("that look as if they set something are told of, and so is an open file with a secret", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        unknownVariables(
          { LECTERN_PROT: "1", LECTERN_CONFIG: "x", LECTERN_SECRET_KEY_FILE: "x", PORT: "1" },
          serverTable
        ),
        ["LECTERN_PROT is not a setting and has no effect: did you mean LECTERN_PORT?"]
      )
      // A short name is near to many.
      assert.deepStrictEqual(unknownVariables({ LECTERN_FOO: "1", LECTERN_ROOT: "1" }, serverTable), [
        "LECTERN_FOO is not a setting and has no effect",
        "LECTERN_ROOT is not a setting and has no effect"
      ])
      const config = yield* written(`secret-key = "${key}"`)
      const warnings = Effect.map(read({}, { config }), ({ file }) => openSecrets(file, serverTable))
      assert.deepStrictEqual(yield* warnings, [])
      chmodSync(config, 0o640)
      assert.match((yield* warnings)[0] ?? "", /contains a secret and is readable by other users: run chmod 600$/)
    })
  )

  it("stand in the manual, each with its flag, its default and whether it is read again", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../../docs/self-hosting/settings.md"), "utf8")
    const rows = [...page.matchAll(/^\| `(LECTERN_\w+)` \| `--([\w-]+)` \| (.*?) \| (.*) \|$/gm)]
    const told = rows.map(([, variable, flag, defaultText, says]) => [
      variable,
      flag,
      says!.includes("Reloaded on `SIGHUP`"),
      /^`(.*)`$/.exec(defaultText!)?.[1]
    ])
    const made = Object.values(serverTable).map(({ name, default: defaultText, reloads }) => [
      variableOf(name),
      name,
      reloads === true,
      defaultText || undefined
    ])
    const byName = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>) =>
      String(one[0]).localeCompare(String(other[0]))
    assert.deepStrictEqual(told.sort(byName), made.sort(byName))
  })
})
