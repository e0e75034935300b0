/**
 * A browser for tests: Chromium from the package `@sparticuz/chromium`, with its libraries, so that no manual
 * installation is needed. Each version is unpacked once, into `node_modules/.cache`. The browser reaches only this
 * machine: names below `.test` resolve to it, and all others fail.
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

/** Timeout for a slow machine (ms). */
export const patience = 120_000

const cache = join(import.meta.dirname, "../../../node_modules/.cache")

/** Returns the browser of a test file. It starts before the first test and closes after the last. */
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

/** Starts a browser. The caller closes it. */
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
  /** Requested URLs, including the page itself. */
  readonly asked: ReadonlyArray<string>
  /** Uncaught errors of the page. */
  readonly failures: ReadonlyArray<string>
}

/** Opens a URL in a new browser context. `answer` responds to every request, so no request reaches the network. */
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

/**
 * Unpacks the browser, if needed. The last step is a rename, so an existing folder is complete, even if another process
 * unpacked it.
 */
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
