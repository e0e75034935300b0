/** The form that an operation is tried with, in a browser: by keyboard, directly and through the site. */
import { assert, describe, it } from "@effect/vitest"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import type { Page, Request } from "playwright-core"
import * as ApiReference from "../src/api/ApiReference.ts"
import * as TryIt from "../src/api/TryIt.ts"
import * as TryItForm from "../src/api/TryItForm.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as Stylesheets from "../src/styling/Stylesheets.ts"
import * as Layout from "../src/page/Layout.ts"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, patience } from "./Chromium.ts"
import { everyPart } from "./Drawing.ts"
import { examplePage } from "./ExamplePages.ts"

const text = { type: "string" }

const spec = SpecParser.read({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [
    { url: "http://{region}.api.test/v1", variables: { region: { default: "eu", enum: ["eu", "us"] } } },
    { url: "http://other.test" }
  ],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      basic: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "query", name: "key" }
    }
  },
  security: [{ token: [] }, { basic: [] }, { key: [] }, {}],
  paths: {
    "/pets/{id}": {
      post: {
        parameters: [
          { name: "id", in: "path", required: true, schema: text },
          { name: "kind", in: "query", schema: { enum: ["cat", "dog"] } },
          { name: "tags", in: "query", schema: { type: "array", items: text } },
          { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
          { name: "dry", in: "query", schema: { type: "boolean" } },
          { name: "X-Trace", in: "header", schema: text },
          { name: "session", in: "cookie", schema: text }
        ],
        requestBody: {
          content: {
            "application/json": { schema: { required: ["name"], properties: { name: text } } },
            "application/x-www-form-urlencoded": {
              schema: { required: ["name"], properties: { name: text, meta: { type: "object" }, photo: text } }
            },
            "multipart/form-data": {
              schema: { properties: { name: text, photo: { type: "string", format: "binary" } } }
            }
          }
        },
        responses: { 200: { description: "Fine" } }
      }
    },
    "/proxied": { get: { "x-enable-proxy": true, responses: { 200: { description: "Fine" } } } },
    "/silent": { get: { responses: { 200: { description: "Fine" } } } }
  }
})

const origin = "http://site.test"
const hostile = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
const files: Record<string, readonly [string, string]> = {
  "/site.css": ["text/css", SiteStylesheet.css + Stylesheets.api],
  "/site.js": ["text/javascript", Scripts.script],
  "/try.js": ["text/javascript", Scripts.tryIt],
  "/try.css": ["text/css", Stylesheets.tryIt]
}

const operations = spec.tags.flatMap((tag) => tag.operations)

describe("An operation", () => {
  const browser = browserOfFile()

  const tried = async (
    look: (page: Page, calls: ReadonlyArray<Request>) => Promise<void>,
    {
      language = "en",
      ...options
    }: { language?: string } & Parameters<ReturnType<typeof browser>["newContext"]>[0] = {}
  ) => {
    const buttons = new TryIt.TryItButtons({ base: "/docs/", page: "page", hasProxy: true })
    const api = ApiReference.createRenderer(new Map([["pets", { spec }]]), buttons)
    const markdown = operations
      .map(
        ({ method, path }) =>
          `{% openapi-operation spec="pets" path="${path}" method="${method}" %}\n\n{% endopenapi-operation %}`
      )
      .join("\n\n")
    const shown = examplePage({ markdown, language, parts: { ...everyPart, api } })
    const page = Layout.renderPage(shown, { css: "/site.css", script: "/site.js" })
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${[...buttons.origins].join(" ")}`
    const calls: Array<Request> = []
    const context = await browser().newContext(options)
    const failures: Array<string> = []
    await context.route("**", (route) => {
      const request = route.request()
      const url = new URL(request.url())
      if (url.origin !== origin) {
        if (request.method() !== "OPTIONS") calls.push(request)
        const cors = url.pathname.endsWith("/silent")
          ? { "access-control-allow-origin": "http://elsewhere.test" }
          : { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization" }
        return route.fulfill({
          status: 201,
          headers: { ...cors, "set-cookie": "a=b" },
          contentType: "text/html",
          body: hostile
        })
      }
      if (url.pathname === "/docs/~try" && request.method() === "POST") {
        calls.push(request)
        const answer = {
          status: 404,
          took: 12,
          headers: [["X", hostile]],
          text: '{"a":["b",1,null]}',
          size: 18,
          isCut: true
        }
        return route.fulfill({ json: answer })
      }
      if (url.pathname === "/docs/~try") {
        const found = operations.find((one) => one.path === url.searchParams.get("path"))!
        const assets = { css: "/try.css", script: "/try.js" }
        const words = LocalizedMessages.messagesFor(language)
        const form = {
          spec,
          specOperation: found,
          callOptions: TryIt.callOptionsOf(spec, found, { hasProxy: true })!,
          messages: words.api,
          close: words.close,
          assets
        }
        return route.fulfill({ contentType: "text/html; charset=utf-8", body: TryItForm.renderForm(form).text })
      }
      const [contentType, body] = files[url.pathname] ?? ["text/html; charset=utf-8", page]
      return route.fulfill({
        contentType,
        body,
        headers: contentType.startsWith("text/html") ? { "content-security-policy": policy } : {}
      })
    })
    const opened = await context.newPage()
    opened.setDefaultTimeout(patience)
    opened.on("pageerror", (failure) => failures.push(String(failure)))
    await opened.goto(`${origin}/docs/install`)
    await look(opened, calls)
    assert.notStrictEqual(await opened.title(), "run")
    assert.deepStrictEqual(failures, [])
    await context.close()
  }

  const open = async (page: Page, place: number) => {
    await page.locator("lectern-try button").nth(place).focus()
    await page.keyboard.press("Enter")
    await page.waitForSelector("dialog[open] .try")
  }

  const answered = async (page: Page): Promise<string> => {
    await page.waitForFunction(() => {
      const status = document.querySelector("dialog[open] [role=status]")
      return status?.textContent !== "" && !status?.textContent?.includes("…")
    })
    return page.locator("dialog[open] .try-answer").innerText()
  }

  it("is called by keyboard alone, directly, with all that is written", async () => {
    await tried(async (page, calls) => {
      await open(page, 0)
      const dialog = page.locator("dialog[open]")
      // A value that is made up might be somebody's: it is not filled in.
      assert.strictEqual(await dialog.locator("[data-name=id]").inputValue(), "")
      await dialog.locator("[data-name=region]").selectOption("us")
      await dialog.locator("[data-in=bearer]").fill("secret")
      await dialog.locator("[data-name=id]").fill("a/b")
      await dialog.locator("[data-name=kind]").selectOption("dog")
      await dialog.locator("[data-name=tags]").fill("x, y")
      await dialog.locator("[data-name=filter]").fill('{"age":{"min":1}}')
      await dialog.locator("[data-name=X-Trace]").fill("1")
      await dialog.locator("[data-name=id]").press("Enter")
      const shown = await answered(page)
      assert.include(shown, "201")
      assert.include(shown, hostile)
      const [call] = calls
      assert.strictEqual(
        call?.url(),
        "http://us.api.test/v1/pets/a%2Fb?kind=dog&tags=x&tags=y&filter%5Bage%5D%5Bmin%5D=1"
      )
      const headers = await call!.allHeaders()
      assert.deepInclude(headers, {
        authorization: "Bearer secret",
        "x-trace": "1",
        "content-type": "application/json"
      })
      assert.notProperty(headers, "cookie")
      assert.notProperty(headers, "referer")
      assert.deepStrictEqual(call!.postDataJSON(), { name: "text" })
      assert.strictEqual(await page.locator("dialog[open] img").count(), 0)
      await page.keyboard.press("Escape")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Try it")
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
      )
      assert.notInclude(kept, "secret")
    })
  })

  it("is called with other schemes and kinds of bodies", async () => {
    await tried(async (page, calls) => {
      await open(page, 0)
      const dialog = page.locator("dialog[open]")
      await dialog.locator("[name=server]").selectOption("1")
      await dialog.locator("[name=set]").selectOption("1")
      await dialog.locator("[data-in=basic-user]").fill("ä")
      await dialog.locator("[data-in=basic-password]").fill("b")
      await dialog.locator("[data-name=id]").fill("1")
      await dialog.locator("[name=media]").selectOption("application/x-www-form-urlencoded")
      await dialog.locator("[data-media*=urlencoded] [data-name=name]").fill("text")
      await dialog.locator("[data-media*=urlencoded] [data-name=meta]").fill('{"a":[1]}')
      await dialog.locator(".try-send").click()
      await answered(page)
      const [form] = calls
      assert.strictEqual(form!.url(), "http://other.test/pets/1")
      assert.strictEqual(form!.postData(), "name=text&meta%5Ba%5D%5B%5D=1")
      assert.strictEqual((await form!.allHeaders())["authorization"], `Basic ${Buffer.from("ä:b").toString("base64")}`)
      await dialog.locator("[name=set]").selectOption("2")
      await dialog.locator("[data-in=query][data-name=key]").fill("k")
      await dialog.locator("[name=media]").selectOption("multipart/form-data")
      await dialog
        .locator("[type=file]")
        .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("hello") })
      await dialog.locator(".try-send").click()
      await page.waitForFunction(() => document.querySelector("dialog[open] .api-status") !== null)
      await answered(page)
      assert.strictEqual(calls[1]!.url(), "http://other.test/pets/1?key=k")
      assert.match(calls[1]!.postData() ?? "", /filename="a.txt"[^]*hello/)
      assert.notProperty(await calls[1]!.allHeaders(), "authorization")
      await dialog.locator("[data-name=filter]").fill("{no")
      await dialog.locator(".try-send").click()
      await page.waitForSelector(".try-failed")
      assert.strictEqual(calls.length, 2)
    })
  })

  it("is called through the site where its spec says so, and never of itself", async () => {
    await tried(async (page, calls) => {
      await open(page, 1)
      await page.locator("dialog[open] [data-in=bearer]").fill("secret")
      await page.locator("dialog[open] .try-send").click()
      const shown = await answered(page)
      assert.include(shown, "404")
      assert.include(shown, '"a": [')
      assert.include(shown, "Only the beginning is shown.")
      assert.strictEqual(await page.locator("dialog[open] pre .s").count(), 1)
      const { path, spec, method, server, headers } = calls[0]!.postDataJSON() as Record<string, unknown>
      assert.deepStrictEqual([path, spec, method, server], ["/proxied", "pets", "get", 0])
      assert.deepStrictEqual(headers, [["Authorization", "Bearer secret"]])
      await page.keyboard.press("Escape")
      await open(page, 2)
      assert.strictEqual(await page.locator("dialog[open] [data-in=bearer]").inputValue(), "secret")
      await page.locator("dialog[open] .try-send").click()
      assert.include(await answered(page), "(CORS)")
      assert.isTrue(calls.slice(1).every((call) => call.url().startsWith("http://eu.api.test/")))
    })
  })

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "from right to left": { language: "ar" },
    "on a narrow screen": { viewport: { width: 320, height: 640 } }
  } as const)) {
    it(`has no fault that axe finds: ${name}`, async () => {
      await tried(async (page) => {
        await open(page, 0)
        assert.deepStrictEqual(await faultsOf(page), [])
        await page.locator("dialog[open] [data-name=id]").fill("1")
        await page.locator("dialog[open] .try-send").click()
        await answered(page)
        await page.locator("dialog[open] summary").click()
        assert.deepStrictEqual(await faultsOf(page), [])
      }, options)
    })
  }
})
