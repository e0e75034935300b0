/** Imports through the whole application, of sites and files that another process serves. */
import { afterAll, assert, beforeAll } from "@effect/vitest"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { NodeSourceReader } from "@lectern/services-node/source/NodeSourceReader"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, refused } from "../../http/test/Harness.ts"
import * as Shapes from "../../http/test/Shapes.ts"
import { createSpace, getSpace, insertPage, openChangeRequest, publish, write } from "../../http/test/Steps.ts"
import { contentOf, Imported, imported, importing, type Sites, startSites } from "./ImportSteps.ts"
import { docx, png, zip } from "./ZipFiles.ts"

let sites: Sites
beforeAll(async () => {
  sites = await startSites()
})
afterAll(() => sites.end())

const at = (site: string, path = "/") => `${sites.urls[site]}${path}`

const dataUrl = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`

const options = {
  fetch: NodeFetch.layer({ allowedPrivateHosts: ["127.0.0.1"] }),
  sourceReader: NodeSourceReader.layer()
}

onEachAdapter(
  "Imports",
  (it) => {
    it.effect("crawls a site: its pages in the order of its menu, links, images, charsets", () =>
      Effect.gen(function* () {
        const { answer, content } = yield* imported("website", at("docs", "/moved"))
        assert.deepStrictEqual(content.tree, [
          ["home", "Acme manual"],
          ["start", "Start"],
          [
            "guide",
            "Guide",
            [
              ["guide/zebra", "Zebra"],
              ["guide/apple", "Apple"]
            ]
          ],
          ["mapped", "Mapped"],
          ["deep", "Deep", [["deep/er", "Er", [["deep/er/page", "Привет"]]]]]
        ])
        assert.deepStrictEqual(answer, { revision: content.id, importedResources: 8, totalResources: 9 })
        const [dot] = content.files
        assert.deepInclude(dot, { name: "dot.png", contentType: "image/png", size: png.length })
        const home = yield* content.page("home")
        assert.strictEqual(home.description, "All of it")
        assert.strictEqual(
          home.markdown,
          `# Acme manual

Welcome to [the start](/pages/${content.pageId("start")}) and [the blog](${at("docs", "/blog")}).

![A dot](/files/${dot?.id})![](/files/${dot?.id})![Gone](${at("docs", "/img/gone.png")})

Text \`{{ not.ours }}\`

trap
`
        )
        const apple = content.pageId("guide/apple")
        assert.strictEqual(
          (yield* content.page("start")).markdown,
          `# Start

See [apples](/pages/${apple}#sec-2), [the old page](/pages/${apple}), [others](https://example.com/).

\`\`\`python
print(1)
\`\`\`

{% hint style="warning" %}
Careful.
{% endhint %}

\\{% hint style="info" %}

not a tag

\\{% endhint %}

<details>

<summary>More &lt;b&gt;</summary>

Folded

</details>

| A | B |
| --- | --- |
| 1 | x \\| y |
`
        )
        assert.match((yield* content.page("guide/zebra")).markdown, /^# .*\n\nCafé for/)
        assert.match((yield* content.page("deep/er/page")).markdown, /^# .*\n\nПривет, this page/)
      })
    )

    it.effect("takes a page of Markdown with its images, and makes its links absolute", () =>
      Effect.gen(function* () {
        const { answer, content } = yield* imported("markdown", at("files", "/guide.md"))
        assert.deepStrictEqual(content.tree, [["guide", "The guide"]])
        assert.deepInclude(answer, { importedResources: 2, totalResources: 2 })
        const { description, markdown } = yield* content.page("guide")
        assert.strictEqual(description, "From afar")
        assert.strictEqual(
          markdown,
          `# The guide

![dot](/files/${content.files[0]?.id}) [other](${at("files", "/other.md")}) [top](${at("files", "/x.md#a")})

{% hint style="info" %}
Ours.
{% endhint %}
`
        )
      })
    )

    it.effect("takes a page of HTML with the images within it", () =>
      Effect.gen(function* () {
        const { content } = yield* imported("html", at("files", "/page.html"))
        assert.deepStrictEqual(content.tree, [["page", "One page"]])
        assert.strictEqual(
          (yield* content.page("page")).markdown,
          `# One page

With [a part](#part), [a link](${at("files", "/x")}), and an image within:

![](/files/${content.files[0]?.id})

## Part
`
        )
      })
    )

    it.effect("takes a document of Word, by its address or in it", () =>
      Effect.gen(function* () {
        const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        for (const url of [at("files", "/plan.docx"), dataUrl(word, docx("The plan"))]) {
          const { answer, content } = yield* imported("docx", url)
          const path = url.startsWith("data:") ? "the-plan" : "plan"
          assert.deepStrictEqual(content.tree, [[path, "The plan"]])
          assert.deepInclude(answer, { importedResources: 2, totalResources: 2 })
          const { markdown } = yield* content.page(path)
          assert.include(markdown, "Read this first.\n\n**Bold** [elsewhere](https://example.com/) trap\n\n## Next\n")
          assert.include(markdown, "<td>a | b</td><td>{% hint %}</td>")
          assert.include(markdown, `![A dot](/files/${content.files[0]?.id})`)
        }
      })
    )

    it.effect("takes an archive as a folder, and says what it left out by the counts", () =>
      Effect.gen(function* () {
        const { answer, content } = yield* imported("zip", at("files", "/manual.zip"))
        assert.deepStrictEqual(content.tree, [
          ["readme", "Hi", [["readme/second", "Second"]]],
          [
            "c",
            "C",
            [
              ["c/plan", "Planned"],
              ["c/web", "Web"]
            ]
          ]
        ])
        // The table of contents, the broken document and the link are none.
        assert.deepInclude(answer, { importedResources: 6, totalResources: 8 })
        const dot = content.files.find(({ name }) => name === "dot.png")?.id
        const second = content.pageId("readme/second")
        assert.strictEqual(
          (yield* content.page("readme")).markdown,
          `# Hi\n\n[second](/pages/${second}) [web](/pages/${content.pageId("c/web")}) ![](/files/${dot})\n`
        )
        assert.strictEqual(
          (yield* content.page("c/web")).markdown,
          `# Web\n\nA page of the web with [a link](/pages/${second}), [none](/c/none.html)\n\n![](/files/${dot})\n`
        )
      })
    )

    it.effect("adds to what is there, each time anew, and never to what Git or a folder keeps", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id } = yield* createSpace()
        yield* publish(id, [insertPage("Imported")])
        const scope = `/v1/spaces/${id}`
        const url = "data:text/markdown,%23%20Imported%0A%0AText"
        for (const paths of [
          ["imported", "imported-1"],
          ["imported", "imported-1", "imported-2"]
        ]) {
          yield* importing(scope, "markdown", url).pipe(answers(201, Imported))
          const { tree, page } = yield* contentOf(scope)
          assert.deepStrictEqual(
            tree,
            paths.map((path) => [path, "Imported"])
          )
          assert.notProperty(yield* page(paths.at(-1)!), "git")
        }
        const { items } = yield* call("admin", "GET", `${scope}/search?query=text`).pipe(
          answers(200, Shapes.listOf(Shapes.Identified))
        )
        assert.isAbove(items.length, 0)
      })
    )

    it.effect("imports into a change request, conflicts and all, and main is none the wiser", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id } = yield* createSpace()
        const { revision } = yield* publish(id, [insertPage("Page")])
        const { id: cr, number } = yield* openChangeRequest(id)
        const scope = `/v1/spaces/${id}/change-requests/${number}`
        const answer = yield* importing(scope, "website", at("docs", "/docs/")).pipe(answers(201, Imported))
        const content = yield* contentOf(scope)
        assert.strictEqual(content.id, answer.revision)
        assert.strictEqual(content.tree.length, 6)
        assert.strictEqual((yield* getSpace(id)).revision, revision)
        const stale = { "if-match": `"${revision}"` }
        yield* call("admin", "POST", `${scope}/content/import`, { url: "data:,x", source: "markdown" }, stale).pipe(
          refused(412)
        )
        yield* call("admin", "POST", `/v1/spaces/${id}/change-requests/${cr}/merge`).pipe(has(200))
        assert.strictEqual((yield* contentOf(`/v1/spaces/${id}`)).tree.length, 6)
        assert.match((yield* importing(scope, "markdown", "data:,x").pipe(refused(409))).message, /merged/)
      })
    )

    it.effect("follows links without end no further than 500 pages", () =>
      Effect.gen(function* () {
        const { answer, content } = yield* imported("website", at("calendar", "/months/"))
        assert.strictEqual(answer.importedResources, 500)
        assert.isAbove(answer.totalResources, 500)
        assert.isAtMost(content.tree.length, 500)
      })
    )

    it.effect("takes all of an archive with more than 500 pages", () =>
      Effect.gen(function* () {
        const { answer } = yield* imported("zip", at("files", "/600.zip"))
        assert.deepInclude(answer, { importedResources: 600, totalResources: 600 })
      })
    )

    it.effect("stops asking a site that has had enough", () =>
      Effect.gen(function* () {
        const { answer } = yield* imported("website", at("strained"))
        assert.isAtMost(answer.importedResources, 10)
        assert.isAbove(answer.totalResources, 40)
      })
    )

    it.effect("imports what came in time, or nothing where nothing came", () =>
      Effect.gen(function* () {
        const slow = yield* Effect.forkChild(imported("website", at("slow")))
        yield* Effect.promise(() => sites.told("asked /never"))
        yield* TestClock.adjust("10 seconds")
        const { answer, content } = yield* Fiber.join(slow)
        assert.deepInclude(answer, { importedResources: 1, totalResources: 2 })
        assert.deepStrictEqual(content.tree, [["home", "First"]])
      })
    )

    const refusals: ReadonlyArray<readonly [source: string, site: string, path: string, message: RegExp]> = [
      ["website", "forbidden", "/", /robots\.txt/],
      ["website", "unwell", "/", /robots\.txt/],
      ["website", "docs", "/docs/secret", /robots\.txt/],
      ["website", "docs", "/loop", /redirects more than 5 times/],
      ["website", "docs", "/away", /private network/],
      ["website", "docs", "/none", /answered 404/],
      ["website", "docs", "/image", /no page of a web site/],
      ["website", "docs", "/huge", /more than 5 MiB/],
      ["html", "files", "/none.html", /answered 404/],
      ["html", "files", "/img/dot.png", /is image\/png and not html/],
      ["markdown", "files", "/page.html", /is text\/html and not markdown/],
      ["docx", "files", "/fake.docx", /no document of Word/],
      ["docx", "files", "/other.docx", /no document of Word/],
      ["docx", "files", "/bomb.zip", /unpacks to more than 200 times/],
      ["zip", "files", "/climbing.zip", /leads out/],
      ["zip", "files", "/absolute.zip", /leads out/],
      ["zip", "files", "/bomb.zip", /unpacks to more than 200 times/],
      ["zip", "files", "/liar.zip", /damaged/],
      ["zip", "files", "/empty.zip", /no Markdown/],
      ["zip", "files", "/broken.zip", /no ZIP archive/],
      ["zip", "files", "/guide.md", /no ZIP archive/],
      ["zip", "files", "/many.zip", /200001 entries/]
    ]
    it.effect.each(refusals)("refuses %s of %s%s", ([source, site, path, message]) =>
      Effect.gen(function* () {
        const { id, revision } = yield* createSpace()
        const { issues, message: said } = yield* importing(`/v1/spaces/${id}`, source, at(site, path)).pipe(
          refused(400)
        )
        assert.match(said, message)
        assert.strictEqual(issues?.[0]?.path, "body.url")
        assert.strictEqual((yield* getSpace(id)).revision, revision)
      })
    )

    it.effect("refuses what is no address, and what is elsewhere", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id } = yield* createSpace()
        const scope = `/v1/spaces/${id}`
        for (const source of ["website", "markdown", "html", "docx", "zip"]) {
          for (const url of [
            "",
            "x",
            "ftp://example.com/",
            "file:///etc/passwd",
            "http://127.0.0.2/",
            "http://me:x@a.example/"
          ]) {
            yield* importing(scope, source, url).pipe(refused(400))
          }
        }
        for (const url of ["data:text/markdown", "data:;base64,%%%", "data:text/html,x"]) {
          yield* importing(scope, "markdown", url).pipe(refused(400))
        }
        yield* importing(scope, "website", "data:text/html,x").pipe(refused(400))
        for (const source of ["confluence", "notion", "github-wiki", "google-docs"]) {
          const { issues, message } = yield* importing(scope, source, "https://example.com/").pipe(refused(400))
          assert.match(message, /import it as `(?:zip|docx)`/)
          assert.strictEqual(issues?.[0]?.path, "body.source")
        }
        for (const body of [
          {},
          { url: "data:,x" },
          { source: "website" },
          { url: 1, source: "zip" },
          { url: "data:,x", source: "rtf" }
        ]) {
          yield* call("admin", "POST", `${scope}/content/import`, body).pipe(refused(400))
        }
        assert.deepStrictEqual((yield* contentOf(scope)).tree, [])
      })
    )

    it.effect("edits no space that is locked, and fetches nothing for who may not edit", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id } = yield* createSpace()
        const scope = `/v1/spaces/${id}`
        yield* importing(scope, "markdown", "data:,x", "read").pipe(refused(403))
        yield* importing(scope, "website", "http://127.0.0.2/", "comment").pipe(refused(403))
        yield* importing(scope, "website", "http://127.0.0.2/", "outsider").pipe(refused(404))
        yield* call("admin", "PATCH", scope, { editMode: "locked" }).pipe(has(200))
        yield* importing(scope, "notion", "data:,x").pipe(refused(409))
        const { number } = yield* openChangeRequest(id)
        yield* importing(`${scope}/change-requests/${number}`, "markdown", "data:,x").pipe(has(201))
      })
    )

    it.effect("takes hostile archives and HTML in a body for what they are", () =>
      Effect.gen(function* () {
        const secret = zip([
          { path: "a.md", bytes: "# A" },
          { path: "b.md", bytes: "# B", isEncrypted: true }
        ])
        const { answer } = yield* imported("zip", dataUrl("application/zip", secret))
        assert.deepInclude(answer, { importedResources: 1, totalResources: 2 })
        const html =
          "<h1>T</h1><p>a<img src=x onerror=alert(1)><svg onload=alert(1)></svg><a href='vbscript:x'>b</a></p><iframe src='javascript:1'></iframe>"
        const { content } = yield* imported("html", `data:text/html,${encodeURIComponent(html)}`)
        assert.strictEqual((yield* content.page("t")).markdown, "# T\n\na![](x)b\n")
      })
    )

    it.effect("inserts files by their URLs in a batch of changes", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id } = yield* createSpace()
        const { number } = yield* openChangeRequest(id)
        const path = `/v1/spaces/${id}/change-requests/${number}/content`
        const files = (...urls: ReadonlyArray<string>) => ({
          changes: [
            { operation: "insert_files", files: urls.map((url, i) => ({ name: `dot-${i}.png`, ref: `f${i}`, url })) }
          ]
        })
        const { insertedFiles } = yield* write(id, number, files(at("files", "/img/dot.png")).changes)
        assert.deepInclude(insertedFiles?.[0], { name: "dot-0.png", contentType: "image/png", size: png.length })
        const before = yield* contentOf(`/v1/spaces/${id}/change-requests/${number}`)
        const bad = [
          ["http://127.0.0.2/", /private network/],
          ["x", /URL/],
          [at("files", "/none.png"), /answered 404/],
          [at("docs", "/huge"), /more than 1 MiB/],
          [at("docs", "/away"), /private network/]
        ] as const
        for (const [url, message] of bad) {
          const error = yield* call("admin", "POST", path, files(at("files", "/img/dot.png"), url)).pipe(refused(400))
          assert.match(error.message, message)
          assert.strictEqual(error.issues?.[0]?.path, "body.changes[0].files[1].url")
        }
        const both = {
          changes: [
            { operation: "insert_files", files: [{ name: "a", url: at("files", "/img/dot.png"), base64: "eA==" }] }
          ]
        }
        yield* call("admin", "POST", path, both).pipe(refused(400))
        yield* call("read", "POST", path, files("http://127.0.0.2/")).pipe(refused(403))
        assert.strictEqual((yield* contentOf(`/v1/spaces/${id}/change-requests/${number}`)).id, before.id)
      })
    )
  },
  options
)
