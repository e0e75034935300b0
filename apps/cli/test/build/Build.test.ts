/** `lectern build`, as people use it: the command, and the files that it writes. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folderOf, write } from "../dev/Folders.ts"
import { lectern, lecternJson, temporaryFolder } from "../../../server/test/LecternProcess.ts"
import { brokenReferences, filesIn } from "./Crawl.ts"

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>A picture</title></svg>'
const spec = `openapi: 3.1.0
info: { title: Birds, version: "1" }
servers: [{ url: https://api.test }]
paths:
  /birds:
    get:
      summary: List birds
      responses: { "200": { description: All birds } }
`

const files = {
  ".gitbook.yaml": "redirects:\n  old/Path: guides/install.md\n  external: README.md\n",
  "SUMMARY.md":
    "# Contents\n\n* [Home](README.md)\n\n## Guides\n\n* [Install](guides/install.md)\n* [News](guides/news.md)\n\n## Other\n\n* [Birds](birds.md)\n* [指南](指南.md)\n",
  "README.md":
    "---\ndescription: All about it.\n---\n\n# Home\n\n[Install](guides/install.md#linux) ![A picture](pictures/a%20b.svg)\n",
  "guides/install.md":
    '# Install\n\n## Linux\n\n```js\nconst a = 1\n```\n\n{% tabs %}\n{% tab title="npm" %}\nnpm\n{% endtab %}\n{% tab title="pnpm" %}\npnpm\n{% endtab %}\n{% endtabs %}\n\n```mermaid\ngraph TD; A-->B\n```\n\n$$x^2$$\n\n[Home](../README.md) [指南](../指南.md)\n',
  "guides/news.md":
    '# News\n\n{% updates format="full" %}\n{% update date="2026-01-02" %}\n## Version 2\n\nNew.\n{% endupdate %}\n{% endupdates %}\n',
  "birds.md": '# Birds\n\n{% openapi src="birds.yaml" path="/birds" method="get" %}\n{% endopenapi %}\n',
  "birds.yaml": spec,
  "指南.md": "# 指南\n\n使用节点。\n",
  "pictures/a b.svg": svg
}

const build = (folder: string, out: string, ...args: ReadonlyArray<string>) =>
  lecternJson(["build", folder, "--out", out, ...args])

const read = (out: string, path: string) => readFileSync(join(out, path), "utf8")

describe("lectern build", () => {
  it("writes pages, their forms for programs, files, redirects and a missing page", async () => {
    const out = join(temporaryFolder(), "site")
    const result = await build(folderOf(files), out, "--site-url", "https://docs.test/help", "--title", "Bird docs")
    assert.deepInclude(result, { pages: 5, redirects: 5, problems: [], deleted: 0 })
    assert.deepStrictEqual(brokenReferences(out, "/help/", "https://docs.test").broken, [])

    const home = read(out, "index.html")
    assert.include(home, '<link rel="canonical" href="https://docs.test/help/">')
    assert.include(home, 'href="/help/guides/install/#linux"')
    assert.include(home, '<meta property="og:image" content="https://docs.test/help/index.png?v=')
    const picture = filesIn(out).find((path) => path.endsWith(".svg"))
    assert.match(picture!, /^~files\/[\w-]{16}\/a-b\.svg$/)
    assert.include(home, `src="/help/${picture}"`)
    assert.strictEqual(read(out, picture!), svg)
    assert.include(read(out, "index.md"), `(https://docs.test/help/${picture})`)
    assert.include(read(out, "guides/install/index.html"), 'class="code')
    assert.include(read(out, "other/birds/index.html"), 'class="api-method get"')
    assert.notInclude(read(out, "other/birds/index.html"), "lectern-try")
    for (const part of ["~try", "~pdf", "~feedback", "~sign", "~block"]) assert.notInclude(home, part)

    assert.include(read(out, "guides/install/index.md"), "https://docs.test/help/other/%E6%8C%87%E5%8D%97/")
    assert.include(read(out, "llms.txt"), "(https://docs.test/help/guides/install/index.md)")
    assert.include(read(out, "llms-full.txt"), "使用节点")
    assert.include(read(out, "guides/news/index.atom"), "<id>https://docs.test/help/guides/news/</id>")
    assert.include(read(out, "robots.txt"), "Sitemap: https://docs.test/help/sitemap.xml")
    const sitemap = read(out, "sitemap.xml")
    assert.include(sitemap, "<loc>https://docs.test/help/guides/install/</loc>")
    assert.notInclude(sitemap, "lastmod")
    assert.include(read(out, "404.html"), "There is nothing here")
    assert.strictEqual(
      read(out, "_redirects"),
      [
        "/help/external /help/ 301",
        "/help/guides /help/guides/install/ 301",
        "/help/old/Path /help/guides/install/ 301",
        "/help/other /help/other/birds/ 301",
        "/help/readme /help/ 301",
        ""
      ].join("\n")
    )
    assert.include(read(out, "old/Path/index.html"), 'content="0; url=/help/guides/install/"')
    assert.include(read(out, "redirects.nginx.map"), '"/help/old/Path" "/help/guides/install/";')
  })

  it("leaves out what needs an absolute URL, and states it", async () => {
    const out = join(temporaryFolder(), "site")
    const { leftOut } = await build(folderOf(files), out, "--base", "docs")
    assert.match(leftOut[0], /--site-url/)
    assert.match(leftOut[1], /try an operation/)
    assert.deepStrictEqual(brokenReferences(out, "/docs/").broken, [])
    assert.isFalse(existsSync(join(out, "sitemap.xml")))
    assert.notInclude(read(out, "robots.txt"), "Sitemap")
    for (const path of filesIn(out).filter((path) => /\.(?:html|md|txt|json)$/.test(path)))
      assert.notInclude(read(out, path), "static-site.invalid", path)
    assert.include(read(out, "index.md"), "(/docs/guides/install/#linux)")
    assert.include(read(out, "llms.txt"), "(/docs/guides/install/index.md)")
    const home = read(out, "index.html")
    assert.notInclude(home, "canonical")
    assert.notInclude(home, "og:image")
  })

  it("writes the same bytes again, and then only changes", async () => {
    const folder = folderOf(files)
    const [one, two] = [join(temporaryFolder(), "site"), join(temporaryFolder(), "site")]
    await Promise.all([one, two].map((out) => build(folder, out, "--site-url", "https://docs.test", "--title", "Docs")))
    assert.deepStrictEqual(filesIn(one), filesIn(two))
    for (const path of filesIn(one))
      assert.isTrue(readFileSync(join(one, path)).equals(readFileSync(join(two, path))), path)

    const { mtimeMs } = statSync(join(one, "other/birds/index.html"))
    write(folder, { "guides/install.md": files["guides/install.md"].replace("npm", "npm, changed") })
    const again = await build(folder, one, "--site-url", "https://docs.test", "--title", "Docs")
    assert.isBelow(again.changed, 10)
    assert.include(read(one, "guides/install/index.html"), "npm, changed")
    assert.strictEqual(statSync(join(one, "other/birds/index.html")).mtimeMs, mtimeMs)

    write(folder, { "SUMMARY.md": files["SUMMARY.md"].replace("* [Birds](birds.md)\n", "") })
    rmSync(join(folder, "birds.md"))
    await build(folder, one, "--site-url", "https://docs.test", "--title", "Docs")
    assert.isFalse(existsSync(join(one, "other/birds")))
    await build(folder, two, "--site-url", "https://docs.test", "--title", "Docs")
    assert.deepStrictEqual(filesIn(one), filesIn(two))
  })

  it("prints problems as `dev` prints them, and fails with --strict", async () => {
    const folder = folderOf({ "README.md": "# Home\n\n[Gone](gone.md)\n" })
    const out = join(temporaryFolder(), "site")
    const lenient = await lectern(["build", folder, "--out", out])
    assert.strictEqual(lenient.code, 0, lenient.stderr)
    assert.include(lenient.stdout, "README.md:3:8: A link leads to nothing in the folder: gone.md\n")
    assert.match(lenient.stdout, /Built 1 page and 1 redirect into .*\n1 problem\n/)
    assert.match(lenient.stdout, /Left out, since a static site has no server:\n {2}Canonical URLs/)
    assert.strictEqual((await lectern(["build", folder, "--out", out, "--strict"])).code, 1)
  })

  it("exits with 2 if it can't run, and deletes nothing of others", async () => {
    const folder = folderOf({ "README.md": "# Home\n" })
    const out = temporaryFolder()
    writeFileSync(join(out, "thesis.txt"), "mine")
    const outcomes = await Promise.all([
      lectern(["build", folder, "--out", out]),
      lectern(["build", folder, "--out", folder]),
      lectern(["build", join(folder, "gone"), "--out", join(out, "a")]),
      lectern(["build", folder, "--out", join(out, "b"), "--base", "/../x"]),
      lectern(["build", folder, "--out", join(out, "b"), "--site-url", "docs.test"]),
      lectern(["build", folder, "--out", join(out, "b"), "--site-url", "https://docs.test/a", "--base", "/b"])
    ])
    assert.deepStrictEqual(
      outcomes.map(({ code }) => code),
      [2, 2, 2, 2, 2, 2]
    )
    const [foreign, own, missing, base, url, both] = outcomes.map(({ stderr }) => stderr)
    assert.match(foreign!, /^lectern: .* has files that no build wrote: thesis\.txt/)
    assert.match(own!, /contains the pages/)
    assert.match(missing!, /can't be read/)
    assert.match(base!, /is no path of a site/)
    assert.match(url!, /is no URL of a site/)
    assert.match(both!, /The path of --site-url is not \/b\//)
    assert.deepStrictEqual(filesIn(out), ["thesis.txt"])
    await build(folder, out, "--keep-others")
    assert.strictEqual(read(out, "thesis.txt"), "mine")
  })

  it("keeps hostile names in the folder, and reports names that Windows can't have", async () => {
    const folder = folderOf({
      "SUMMARY.md":
        "# Contents\n\n* [Home](README.md)\n* [Up](..%2fup.md)\n* [A](con.md)\n* [B](a:b.md)\n* [C](INDEX.HTML.md)\n* [D](~search.md)\n* [E](...md)\n",
      "README.md": "# Home\n",
      "con.md": "# Device\n",
      "a:b.md": "# Colon\n",
      "INDEX.HTML.md": "# Index\n",
      "~search.md": "# Search\n",
      "...md": "# Dots\n",
      "Case.md": "# One case\n",
      "case.md": "# Other case\n"
    })
    mkdirSync(join(folder, "linked"))
    symlinkSync("/etc/hostname", join(folder, "linked", "host.md"))
    const parent = temporaryFolder()
    const out = join(parent, "site")
    const { problems } = await build(folder, out)
    assert.deepStrictEqual(
      filesIn(parent).filter((path) => !path.startsWith("site/")),
      []
    )
    assert.isTrue(problems.some(({ path }: { path: string }) => path === "linked/host.md"))
    for (const name of ["con/index.html", "a:b/index.html"])
      assert.isTrue(
        problems.some(({ message }: { message: string }) => message.includes(`${name} can't be on Windows`)),
        name
      )
    assert.isTrue(problems.some(({ rule, message }: any) => rule === "not-built" && message.includes("INDEX.HTML")))
    assert.deepStrictEqual(
      brokenReferences(out, "/").broken.filter(({ url }) => !/INDEX/.test(url)),
      []
    )
    const paths = filesIn(out).map((path) => path.toLowerCase())
    assert.strictEqual(new Set(paths).size, paths.length)
  })
})
