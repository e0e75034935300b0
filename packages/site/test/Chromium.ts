/**
 * A browser for tests: the one inside the package `@sparticuz/chromium`, with the libraries that it needs, so that
 * nothing is installed by hand. Each version is unpacked once, beside the packages. It reaches this
 * machine alone: a name below `.test` is this machine, every other leads nowhere.
 */
import { execFileSync } from "node:child_process"
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress } from "node:zlib"
import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from "playwright-core"
import { afterAll, beforeAll } from "vitest"

const require = createRequire(import.meta.url)
const packed = join(dirname(require.resolve("@sparticuz/chromium")), "..")
const { version } = require(join(packed, "package.json")) as { readonly version: string }

/** How long something may take to be there, on a machine that is slow (ms). */
export const patience = 120_000

const cache = join(import.meta.dirname, "../../../node_modules/.cache")

/** The browser of a test file: begun before its first test, ended behind its last. */
export const browserOfFile = (): (() => Browser) => {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await open()
  })
  afterAll(() => browser?.close())
  return () => {
    if (browser === undefined) throw new Error("The browser is there in tests alone")
    return browser
  }
}

/** Whoever opens a browser closes it. */
export const open = async (): Promise<Browser> => {
  const folder = await unpacked()
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, "lib") },
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    ]
  })
}

type Answer = NonNullable<Parameters<Route["fulfill"]>[0]>

export interface Visit {
  /** URLs that the page asked for, itself included. */
  readonly asked: ReadonlyArray<string>
  /** Errors that nothing in the page caught. */
  readonly failures: ReadonlyArray<string>
}

/** Looks at a URL in a context of its own, in which `answer` answers every request and nothing goes out. */
export const visit = async <A>(
  browser: Browser,
  url: string,
  answer: (url: URL) => Answer,
  look: (page: Page, visit: Visit) => Promise<A>,
  options: BrowserContextOptions = {}
): Promise<A> => {
  const context = await browser.newContext(options)
  const asked: Array<string> = []
  const failures: Array<string> = []
  await context.route("**", (route) => {
    const url = route.request().url()
    asked.push(url)
    return route.fulfill(answer(new URL(url)))
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  page.on("pageerror", (failure) => failures.push(String(failure)))
  await page.goto(url)
  const seen = await look(page, { asked, failures })
  await context.close()
  return seen
}

/** Unpacking ends with a rename: a folder that is there is whole, whoever unpacked it. */
const unpacked = async (): Promise<string> => {
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const begun = mkdtempSync(`${folder}-`)
  const unpack = (name: string, to: string) =>
    pipeline(
      createReadStream(join(packed, "bin", name)),
      createBrotliDecompress(),
      createWriteStream(join(begun, to), { mode: 0o755 })
    )
  await Promise.all([unpack("chromium.br", "chromium"), unpack("al2023.tar.br", "lib.tar")])
  mkdirSync(join(begun, "lib"))
  execFileSync("tar", ["-xf", join(begun, "lib.tar"), "-C", join(begun, "lib"), "--strip-components=1"])
  try {
    renameSync(begun, folder)
  } catch (failure) {
    rmSync(begun, { recursive: true })
    if (!existsSync(folder)) throw failure
  }
  return folder
}
