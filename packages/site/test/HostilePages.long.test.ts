/**
 * Hostile content, on the whole way from the interface to the pages of a site in a browser: Markdown, documents,
 * imports, specifications, files, names and settings. Nothing of it runs. The policy of content only tells here what it
 * would have stopped, and nothing may depend on it.
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ContentImports } from "@lectern/exchange/import/ContentImports"
import type { CustomizationPut } from "@lectern/core/customization/Customization"
import { Customizations } from "@lectern/core/customization/Customizations"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SiteId } from "@lectern/core/site/Site"
import { SpaceId } from "@lectern/core/space/Space"
import { toLine } from "@lectern/document/Text"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, onMemory } from "../../http/test/Harness.ts"
import { createSpec, ofSpecs, processed } from "../../http/test/OpenApiSteps.ts"
import { addSection, createSite, json, patchSite, publishSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, merge, openChangeRequest, publish } from "../../http/test/Steps.ts"
import { NodeSnippetRenderer } from "../../services-node/src/rendering/NodeSnippetRenderer.ts"
import { NodeSourceReader } from "../../services-node/src/source/NodeSourceReader.ts"
import { docx } from "../../services-node/test/ZipFiles.ts"
import { trusted } from "../src/html/Html.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import { type SnippetSource, SnippetCache } from "../src/rendering/SnippetCache.ts"
import { SnippetRenderer, type SnippetRequest } from "../src/rendering/SnippetRenderer.ts"
import { browserOfFile } from "./Chromium.ts"
import { payloads, urls } from "./HostileTexts.ts"
import { answering } from "./SiteHarness.ts"

const browser = browserOfFile()

/** Parts of a page that may run, or that load something from elsewhere. Runs in the browser. */
const harmIn = (own: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = [...document.querySelectorAll("*")]
  for (const element of all) {
    for (const event of ["mouseover", "focus", "toggle", "error", "load", "animationstart"]) {
      element.dispatchEvent(new Event(event))
    }
  }
  const isOurs = (url: string) => new URL(url, document.baseURI).origin === location.origin
  const isBad = (element: Element) => {
    const { localName } = element
    if (
      /^(?:iframe|object|embed|base|frame|frameset|marquee|foreignobject|applet|portal|animate|set|use)$/i.test(
        localName
      )
    )
      return true
    if (element instanceof HTMLScriptElement) {
      return element.src === ""
        ? element.type !== "application/ld+json" && !own.includes(element.text)
        : !isOurs(element.src) || !/\/~lectern\/[\w.-]+\.js$/.test(element.src)
    }
    if (element instanceof HTMLLinkElement) return element.rel === "stylesheet" && !isOurs(element.href)
    if (element instanceof HTMLMetaElement) return element.httpEquiv !== ""
    if (element instanceof HTMLFormElement) return !isOurs(element.getAttribute("action") ?? "")
    return localName === "style" && element.parentElement !== document.head
  }
  const isBadAttribute = ({ name, value }: Attr, { localName }: Element) =>
    /^on|^style$|^srcdoc$|^formaction$|^background$/.test(name) ||
    (/^(?:href|src|xlink:href|action|data-frame|poster|cite|data)$/.test(name) &&
      !(localName === "link" && value.startsWith("data:image/svg+xml,")) &&
      !/^(?:https?|mailto|tel):$/.test(URL.parse(value, document.baseURI)?.protocol ?? ""))
  return all.flatMap((element) => [
    ...(isBad(element) ? [element.outerHTML.slice(0, 200)] : []),
    ...[...element.attributes]
      .filter((attribute) => isBadAttribute(attribute, element))
      .map(({ name, value }) => `${element.localName} ${name}=${value}`)
  ])
}

const ownScripts = [Scripts.restoreTheme, Scripts.restoreTree].map(({ text }) =>
  text.replace(/^<script>|<\/script>$/g, "")
)

type Answering = (request: Request) => Promise<Response>

/** Opens each URL and looks for what ran, what would have been stopped, and what was asked of others but pictures and fonts. */
const look = async (answer: Answering, pages: ReadonlyArray<string>): Promise<void> => {
  const context = await browser().newContext({ viewport: { width: 1280, height: 800 } })
  const found: Array<string> = []
  let at = ""
  const tell = (what: string) => found.push(`${at}: ${what}`)
  await context.exposeFunction("ran", () => tell("ran"))
  await context.exposeFunction("told", (what: string) => tell(what))
  await context.addInitScript(() => {
    const { told, ran } = window as unknown as { readonly told: (what: string) => void; readonly ran: () => void }
    window.alert = ran
    addEventListener("securitypolicyviolation", (event) => told(`${event.violatedDirective} ${event.blockedURI}`))
  })
  const origin = new URL(pages[0]!).origin
  await context.route("**", async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    if (url.origin !== origin) {
      if (!["image", "font"].includes(request.resourceType())) tell(`asked ${url.href}`)
      return route.fulfill({ status: 404 })
    }
    if (/\/~lectern\/.*\.woff2$/.test(url.pathname)) return route.fulfill({ status: 404 })
    const { status, headers, arrayBuffer } = await answer(new Request(url)).then(async (response) => ({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      arrayBuffer: await response.arrayBuffer()
    }))
    const { "content-security-policy": policy, ...others } = headers
    return route.fulfill({
      status,
      headers: { ...others, ...(policy !== undefined && { "content-security-policy-report-only": policy }) },
      body: Buffer.from(arrayBuffer)
    })
  })
  const page = await context.newPage()
  page.on("dialog", (dialog) => {
    tell(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  for (at of pages) {
    const answered = await page.goto(at)
    assert.strictEqual(answered?.status(), 200, at)
    for (const harm of await page.evaluate(harmIn, ownScripts)) tell(harm)
    if (page.url() !== at) tell(`led to ${page.url()}`)
  }
  await context.close()
  assert.deepStrictEqual(found, [])
}

/** Code, formulas and icons, drawn between a first look at all pages and the second. */
const painting = () => {
  const kept = new Map<string, ReadonlyArray<string> | undefined>()
  const wanted = new Map<string, SnippetRequest>()
  const find = (one: SnippetRequest) => {
    const key = JSON.stringify(one)
    if (!kept.has(key)) wanted.set(key, one)
    return kept.get(key)?.map(trusted)
  }
  const snippets = (style: string): SnippetSource => ({
    highlight: (code, syntax) => find({ kind: "code", code, syntax }),
    formula: (tex, isBlock) => find({ kind: "formula", tex, isBlock })?.[0],
    icon: (name) => find({ kind: "icon", name, style })?.[0],
    isComplete: () => false,
    pending: () => undefined
  })
  const paint = Effect.gen(function* () {
    const painter = yield* SnippetRenderer
    const painted = yield* painter!.render([...wanted.values()])
    for (const [i, key] of [...wanted.keys()].entries()) kept.set(key, painted[i])
    return kept.size
  }).pipe(Effect.provide(NodeSnippetRenderer.layer()))
  return { paintings: { snippets }, paint }
}

/** Every page of a site, drawn whole. */
const drawnSite = Effect.fnUntraced(function* (base: string) {
  const { paintings, paint } = painting()
  const answer = yield* answering().pipe(Effect.provideService(SnippetCache, paintings))
  const textOf = (url: string) => Effect.promise(() => answer(new Request(url)).then((response) => response.text()))
  const map = yield* textOf(`${base}sitemap.xml`)
  const pages = Array.from(map.matchAll(/<loc>([^<]+)<\/loc>/g), ([, url]) =>
    url!.replaceAll("&amp;", "&").replaceAll("&apos;", "'").replaceAll("&#39;", "'").replaceAll("&quot;", '"')
  )
  for (const url of pages) yield* textOf(url)
  yield* paint
  return { answer: (request: Request) => answer(request), pages }
})

const lookAt = Effect.fnUntraced(function* (base: string, least: number, more: ReadonlyArray<string> = []) {
  const { answer, pages } = yield* drawnSite(base)
  assert.isAtLeast(pages.length, least)
  yield* Effect.promise(() => look(answer, [...pages, ...more.map((path) => base + path)]))
})

const siteOf = Effect.fnUntraced(function* (space: string) {
  const site = yield* createSite([space])
  const { urls } = yield* publishSite(site.id)
  return { id: site.id, base: urls.published ?? "" }
})

/** Of each list the first change that is taken: one that is refused is refused with 400, and the next has less in it. */
const taken = Effect.fnUntraced(function* (space: string, all: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>) {
  const { call } = yield* Harness
  const { id } = yield* openChangeRequest(space)
  let count = 0
  for (const alternatives of all) {
    for (const change of alternatives) {
      const { status, text } = yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/content`, {
        changes: [change]
      })
      assert.include([200, 400], status, text)
      if (status !== 200) continue
      count++
      break
    }
  }
  yield* merge(space, id)
  return count
})

/** Markdown that says a text wherever one may stand. */
const markdownOf = (text: string): string =>
  [
    text,
    `## ${text}`,
    `| ${text} |\n| --- |\n| ${text} |`,
    `{% hint style="${text}" icon="${text}" %}\n${text}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="${text}" %}\n${text}\n{% endtab %}\n{% endtabs %}`,
    `{% code title="${text}" %}\n\`\`\`js\n${text}\n\`\`\`\n{% endcode %}`,
    `\`\`\`html\n${text}\n\`\`\``,
    `<details><summary>${text}</summary>\n\n${text}\n\n</details>`,
    `$$\n\\text{${text}}\n$$`,
    `![${text}](https://example.com/x.png "${text}")`,
    `<mark style="color:${text}">x</mark>`,
    `[x](https://example.com/ "${text}")`
  ].join("\n\n")

const linksTo = (url: string): string =>
  [
    `[x](<${url}>)`,
    `<a href="${url}">x</a>`,
    `<a href="${url}" class="button primary">x</a>`,
    `![x](<${url}>)`,
    `<img src="${url}">`,
    `<${url}>`,
    `{% embed url="${url}" %}`,
    `{% content-ref url="${url}" %}\nx\n{% endcontent-ref %}`
  ].join("\n\n")

/** As it stands in HTML and XML that say it and mean nothing else. */
const escapedFor = (text: string): string =>
  text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")

const some = (texts: ReadonlyArray<string>, each: number): ReadonlyArray<string> =>
  texts.filter((_, i) => i % each === 0)

const leaf = (text: string, marks: ReadonlyArray<object> = []) => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }]
})

const all = [...payloads, ...urls]

/** URLs as a specification may have them. */
const references = urls.filter((url) => /^[a-z]+:[\w/?#.,;()@&=-]+$/i.test(url))

onMemory(
  "Hostile content on a site",
  (it) => {
    it.effect("runs nothing of Markdown, titles, descriptions, icons, emoji, tags and names of files", () =>
      Effect.gen(function* () {
        const { id: space } = yield* createSpace({ title: payloads[0] })
        const files = payloads.map((said) =>
          [said, toLine(said.replace(/[/\\]/g, "-"))].map((name) => ({
            operation: "insert_files",
            files: [{ name, base64: btoa("x") }]
          }))
        )
        assert.strictEqual(yield* taken(space, files), payloads.length)
        const { call } = yield* Harness
        const listed = yield* call("admin", "GET", `/v1/spaces/${space}/content/files?limit=1000`).pipe(json(200))
        const filesOf: ReadonlyArray<string> = listed.items.map((file: { readonly id: string }) => file.id)
        assert.strictEqual(filesOf.length, payloads.length)
        const link = (title: string, url: string) => ({
          operation: "insert_page",
          type: "link",
          title,
          target: { kind: "url", url }
        })
        const count = yield* taken(space, [
          [insertPage("Start", "Hello")],
          [insertPage("Files", filesOf.map((file) => `{% file src="/files/${file}" %}`).join("\n\n"))],
          ...payloads.flatMap((said) => {
            const markdown = markdownOf(said)
            const named = { description: said, linkTitle: said }
            return [
              [
                insertPage(said, markdown, { ...named, icon: said, emoji: said }),
                insertPage(said, markdown, { ...named, icon: said }),
                insertPage(said, markdown, { ...named, tags: [{ tag: said }] }),
                insertPage(said, markdown, named)
              ],
              [{ operation: "insert_page", type: "group", title: said }],
              [link(said, "https://example.com/")]
            ]
          }),
          ...urls.flatMap((url, i) => [
            [
              insertPage(`Links ${i}`, linksTo(url), { cover: { ref: { kind: "url", url } }, layout: { cover: true } }),
              insertPage(`Links ${i}`, linksTo(url))
            ],
            [link(url, url)]
          ])
        ])
        assert.isAtLeast(count, payloads.length * 3 + urls.length)
        const { base, id } = yield* siteOf(space)
        yield* addSection(id, space, payloads[1]!)
        yield* lookAt(base, payloads.length, ["~search?q=onerror", "~search?q=img&scope=here"])
      })
    )

    it.effect("runs nothing of documents as JSON", () =>
      Effect.gen(function* () {
        const { id: space } = yield* createSpace({ title: "Docs" })
        const block = (type: string, data: object, nodes: ReadonlyArray<object>, more: object = {}) => ({
          object: "block",
          type,
          data,
          nodes,
          ...more
        })
        const paragraph = (said: string) => block("paragraph", {}, [leaf(said)])
        const blocksOf = (said: string): ReadonlyArray<object> => {
          const ref = { kind: "url", url: said }
          return [
            paragraph(said),
            block("heading-1", {}, [leaf(said)], { meta: { id: said } }),
            block("paragraph", { align: said }, [leaf(said)]),
            block("paragraph", {}, [
              leaf(""),
              { object: "inline", type: "link", data: { ref }, nodes: [leaf(said)] },
              leaf(said, [{ object: "mark", type: "color", data: { text: said, background: said } }])
            ]),
            block("paragraph", {}, [
              leaf(""),
              { object: "inline", type: "inline-image", data: { ref, caption: said } },
              leaf("")
            ]),
            block("paragraph", {}, [leaf(""), { object: "inline", type: "emoji", data: { code: said } }, leaf("")]),
            block("paragraph", {}, [leaf(""), { object: "inline", type: "icon", data: { icon: said } }, leaf("")]),
            block("paragraph", {}, [
              leaf(""),
              { object: "inline", type: "button", data: { ref, label: said, kind: said, icon: said } },
              leaf("")
            ]),
            block("hint", { style: said, icon: said }, [paragraph(said)]),
            block("hint", { style: "info", icon: said }, [paragraph(said)]),
            block("code", { syntax: said, title: said }, [block("code-line", {}, [leaf(said)])]),
            block("code", { syntax: "html", title: said }, [block("code-line", {}, [leaf(said)])]),
            block("embed", { url: said }, []),
            block("file", { ref }, []),
            block("content-ref", { ref }, []),
            block("images", {}, [block("image", { ref, alt: said, width: said, href: said }, [])]),
            block("math", { formula: said }, []),
            block("drawing", { ref }, []),
            block("tabs", {}, [
              block("tabs-item", { title: said, icon: said }, [paragraph(said)], { meta: { id: said } })
            ]),
            block("swagger", { ref, path: said, method: said }, []),
            block(said, {}, [leaf(said)])
          ]
        }
        const { call } = yield* Harness
        const scratch = yield* openChangeRequest(space)
        const write = Effect.fnUntraced(function* (nodes: ReadonlyArray<object>) {
          const document = { object: "document", data: { schemaVersion: 1 }, nodes }
          const changes = [{ operation: "insert_page", title: "Page", document: { document } }]
          const path = `/v1/spaces/${space}/change-requests/${scratch.id}/content`
          const { status } = yield* call("admin", "POST", path, { changes })
          assert.include([200, 400], status)
          return status === 200
        })
        // Blocks that no text gets through in are left out; where a text is refused in others, each is tried alone.
        const usual: Array<number> = []
        for (const [i, block] of blocksOf(payloads[0]!).entries()) if (yield* write([block])) usual.push(i)
        assert.isAtLeast(usual.length, 10)
        const pages: Array<Record<string, unknown>> = []
        for (const said of all) {
          const blocks = blocksOf(said).filter((_, i) => usual.includes(i))
          const nodes: Array<object> = []
          if (yield* write(blocks)) nodes.push(...blocks)
          else for (const block of blocks) if (yield* write([block])) nodes.push(block)
          const document = { object: "document", data: { schemaVersion: 1 }, nodes }
          if (nodes.length > 0) pages.push({ operation: "insert_page", title: "Page", document: { document } })
        }
        assert.isAtLeast(pages.length, all.length - 10)
        for (let i = 0; i < pages.length; i += 20) yield* publish(space, pages.slice(i, i + 20))
        yield* lookAt((yield* siteOf(space)).base, pages.length)
      })
    )

    it.effect("runs nothing of folders, HTML and documents of Word that are imported", () =>
      Effect.gen(function* () {
        const { id: space } = yield* createSpace({ title: "Docs" })
        const imports = yield* ContentImports
        const encoder = new TextEncoder()
        const file = (path: string, content: string | Uint8Array) => {
          const bytes = typeof content === "string" ? encoder.encode(content) : content
          return { path, size: bytes.length, bytes: Effect.succeed(bytes) }
        }
        const { importedResources } = yield* imports
          .importFiles(SpaceId.make(space), undefined, [
            ...payloads.map((said, i) => {
              const escaped = escapedFor(said)
              const title = i % 2 === 0 ? said : escaped
              const body = `<h1>${escaped}</h1><img alt="${escaped}" src="https://example.com/x.png"><p title="${said}">${said}</p><pre><code class="language-${said}">${said}</code></pre>`
              return file(
                `html/text-${i}.html`,
                `<html><head><title>${title}</title></head><body>${body}</body></html>`
              )
            }),
            ...urls.map((url, i) => {
              const body = `<p><a href="${url}">x</a><img src="${url}"><iframe src="${url}"></iframe><a href='${url}'>x</a></p>`
              return file(`html/link-${i}.html`, `<title>Link ${i}</title>${body}`)
            }),
            ...some(payloads, 10).map((said, i) => file(`word/text-${i}.docx`, docx(escapedFor(said)))),
            ...some(payloads, 4).map((said, i) => {
              const front = `description: ${JSON.stringify(said)}\nicon: ${JSON.stringify(said)}\n`
              const name = said.replace(/[\\/\0]/g, "-").slice(0, 80)
              return file(`markdown/${name}-${i}.md`, `---\n${front}---\n\n# ${said}\n\n${markdownOf(said)}\n`)
            })
          ])
          .pipe(Effect.provideService(CurrentActor, host))
        assert.isAtLeast(importedResources, payloads.length + urls.length)
        yield* lookAt((yield* siteOf(space)).base, payloads.length + urls.length)
      })
    )

    it.effect("runs nothing of specifications", () =>
      Effect.gen(function* () {
        const fieldsOf = (said: string, i: number): object => ({
          tags: [`${said} ${i}`],
          summary: said,
          description: `${said}\n\n[x](javascript:ran())`,
          operationId: said,
          deprecated: true,
          externalDocs: { url: references[i % references.length], description: said },
          servers: [{ url: said, description: said }],
          parameters: [
            {
              name: said,
              in: "query",
              description: said,
              example: said,
              schema: { type: "string", enum: [said], default: said, pattern: said, format: said }
            }
          ],
          requestBody: {
            description: said,
            content: {
              [said]: {
                schema: {
                  type: "object",
                  title: said,
                  properties: { [said]: { type: "string", description: said, example: said } }
                },
                example: said
              }
            }
          },
          responses: {
            200: {
              description: said,
              headers: { [said]: { description: said, schema: { type: "string" } } },
              content: { "application/json": { examples: { [said]: { summary: said, value: { [said]: said } } } } }
            },
            404: { description: said }
          },
          security: [{ [`k${i}`]: [said] }],
          "x-codeSamples": [{ lang: said, label: said, source: said }]
        })
        const document = {
          openapi: "3.1.0",
          info: { title: payloads[0], version: payloads[1], description: payloads[2] },
          servers: urls.map((url) => ({ url, description: url })),
          tags: payloads.map((said, i) => ({
            name: `${said} ${i}`,
            description: said,
            "x-page-title": said,
            "x-page-icon": said,
            "x-page-description": said
          })),
          paths: Object.fromEntries(payloads.map((said, i) => [`/${i}/${said}`, { get: fieldsOf(said, i) }])),
          components: {
            securitySchemes: Object.fromEntries(
              payloads.map((said, i) => [
                `k${i}`,
                {
                  type: "oauth2",
                  description: said,
                  flows: { implicit: { authorizationUrl: references[i % references.length], scopes: { [said]: said } } }
                }
              ])
            ),
            schemas: Object.fromEntries(
              payloads.map((said, i) => [
                `S${i}`,
                {
                  title: said,
                  description: said,
                  oneOf: [{ const: said }, { title: said, type: "object", properties: { [said]: {} } }]
                }
              ])
            )
          }
        }
        const { id } = yield* createSpec("hostile", JSON.stringify(document))
        yield* processed(id)
        yield* ofSpecs("PATCH", "/hostile", { visibility: "public" })
        const { id: space } = yield* createSpace({ title: "API" })
        const spec = { kind: "openapi", spec: "hostile" }
        yield* publish(space, [
          insertPage("Start", "Hello"),
          {
            operation: "insert_page",
            type: "computed",
            title: "Reference",
            computed: { type: "builtin:openapi", dependencies: { spec: { ref: spec } }, props: { models: true } }
          }
        ])
        yield* lookAt((yield* siteOf(space)).base, payloads.length)
      })
    )

    it.effect("runs nothing of settings and names", () =>
      Effect.gen(function* () {
        const { organization } = yield* Harness
        const customizations = yield* Customizations
        const { id: space } = yield* createSpace({ title: "Docs" })
        yield* publish(space, [insertPage("Start", "Hello")])
        const { id, base } = yield* siteOf(space)
        const answer = yield* answering()
        const see = (settings: CustomizationPut) =>
          customizations.put(OrganizationId.make(organization), SiteId.make(id), settings).pipe(
            Effect.provideService(CurrentActor, host),
            Effect.andThen(Effect.promise(() => look(answer, [base]))),
            Effect.as(true),
            Effect.catchTag("InvalidInput", () => Effect.succeed(false))
          )
        const to = { kind: "url", url: "https://example.com/" } as const
        const texts = all.map((said) => toLine(said))
        const titleOf = (said: string, max: number) => said.slice(0, max).trim()
        const links = texts.map((said) => ({ title: titleOf(said, 60), to }))
        for (let i = 0; i < links.length; i += 50) {
          const some = links.slice(i, i + 50)
          const menus = [{ title: texts[i]!, to: null, links: some }]
          const isTaken = yield* see({
            header: { links: [...menus, ...some.map((link) => ({ ...link, links: [] }))] },
            footer: { groups: [{ title: "x", links: some }, ...some.map(({ title }) => ({ title, links: [] }))] }
          })
          assert.isTrue(isTaken)
        }
        for (const [i, said] of texts.entries()) {
          const url = `https://example.com/${said}`
          yield* patchSite(id, { title: titleOf(said, 100) })
          const pictures = { light: url, dark: `https://example.com/?${said}` }
          const sources = [{ url, format: "woff2" }] as const
          const isTaken = yield* see({
            ...(i % 2 === 0 && { title: titleOf(said, 100) }),
            header: { logo: pictures },
            footer: { logo: pictures, copyright: said.slice(0, 250) },
            favicon: { icon: pictures },
            announcement: {
              enabled: true,
              message: said.slice(0, 120),
              style: "info",
              link: { title: titleOf(said, 60), to: { kind: "url", url } }
            },
            socialAccounts: (["mastodon", "slack", "github", "twitter"] as const).map((platform) => ({
              platform,
              handle: said.slice(0, 60),
              display: { footer: true, header: true }
            })),
            privacyPolicy: { url },
            socialPreview: { url },
            styling: {
              font: { id: said, custom: true, fontFamily: said.slice(0, 50), fontFaces: [{ weight: 400, sources }] }
            }
          })
          assert.isTrue(isTaken, said)
        }
        for (const url of urls.filter((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))) {
          assert.isFalse(yield* see({ privacyPolicy: { url } }), url)
          assert.isFalse(yield* see({ socialPreview: { url } }), url)
          assert.isFalse(yield* see({ header: { logo: { light: url, dark: url } } }), url)
        }
        for (const colour of [
          "red;}*{background:url(//evil.test/x)}",
          "#fff}body{color:red",
          "</style><script>ran()</script>",
          "url(javascript:ran())",
          "var(--x)",
          "#12345g",
          "#fff\n"
        ]) {
          const themed = { light: colour, dark: colour }
          assert.isFalse(yield* see({ styling: { primaryColor: themed } }), colour)
          assert.isFalse(yield* see({ styling: { tint: { color: themed } } }), colour)
          assert.isFalse(yield* see({ header: { backgroundColor: themed, linkColor: themed } }), colour)
        }
      })
    )

    it.effect("is shown within bounds, or refused with a sentence, however large it is", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: space } = yield* createSpace({ title: "Docs" })
        const large = "Some words that fill a page. ".repeat(180_000)
        const { id } = yield* openChangeRequest(space)
        const changes = [insertPage("Large", large)]
        const answer = yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/content`, { changes })
        if (answer.status === 200) yield* merge(space, id)
        else assert.match(answer.text, /"message":"[A-Z][^"]{10,}"/)
        const headings = Array.from({ length: 10_000 }, (_, i) => `## Heading ${i}`).join("\n\n")
        const paragraphs = Array.from({ length: 20_000 }, (_, i) => `Paragraph ${i} with some words.`).join("\n\n")
        const knot = { type: "object", properties: { self: { $ref: "#/components/schemas/Knot" } } }
        const around = { allOf: [{ $ref: "#/components/schemas/Around" }, { $ref: "#/components/schemas/Knot" }] }
        const spec = yield* createSpec(
          "knots",
          JSON.stringify({
            openapi: "3.1.0",
            info: { title: "Knots", version: "1" },
            paths: {
              "/knots": {
                get: {
                  responses: {
                    200: {
                      description: "Knots",
                      content: { "application/json": { schema: { $ref: "#/components/schemas/Around" } } }
                    }
                  }
                }
              }
            },
            components: { schemas: { Knot: knot, Around: around } }
          })
        )
        yield* processed(spec.id)
        yield* ofSpecs("PATCH", "/knots", { visibility: "public" })
        yield* publish(space, [
          insertPage("Start", "Hello"),
          insertPage(
            "Knots",
            `{% openapi-operation spec="knots" path="/knots" method="get" %}\n{% endopenapi-operation %}`
          ),
          insertPage("Headings", headings),
          insertPage("Paragraphs", paragraphs)
        ])
        yield* lookAt((yield* siteOf(space)).base, 4)
      })
    )
  },
  { sourceReader: NodeSourceReader.layer() }
)
