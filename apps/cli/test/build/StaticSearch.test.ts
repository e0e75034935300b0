/** The search of a static site finds what the server's search finds, in each script. */
import { assert, describe, it } from "@effect/vitest"
import * as SiteFetch from "@lectern/site/fetch"
import type { SearchManifest } from "@lectern/site/static-site/SearchManifest"
import * as StaticSearch from "@lectern/site/static-site/StaticSearch"
import * as StaticSite from "@lectern/site/static-site/StaticSite"
import { Effect } from "effect"
import * as FolderSite from "../../src/dev/FolderSite.ts"
import { folderOf } from "../dev/Folders.ts"

const pages = {
  "README.md": "# Welcome\n\nRead how to install it.\n",
  "guides/install.md":
    "---\ndescription: From nothing to a server.\n---\n\n# Installation\n\nInstall the package.\n\n## Flags\n\nStart with `--privileged`, then call `useState`.\n",
  "guides/configure.md":
    "# Configuration\n\nThe subscription has settings. Customise colours.\n\n## Creme\n\nA Crème brûlée.\n",
  "zh.md": "# 安装指南\n\n使用LLM节点配置工作流。\n\n## 节点\n\n数据库节点。\n",
  "ja.md": "# インストール\n\nデータベースの設定を変更します。\n",
  "ko.md": "# 설치 안내\n\n데이터베이스를 설정합니다.\n",
  "th.md": "# การติดตั้ง\n\nตั้งค่าฐานข้อมูลของคุณ\n",
  "ar.md": "# دليل التثبيت\n\nإعدادات قاعدة البيانات.\n",
  "he.md": "# מדריך התקנה\n\nהגדרות מסד הנתונים.\n",
  "ru.md": "# Установка\n\nНастройка базы данных.\n",
  "hi.md": "# स्थापना\n\nडेटाबेस सेटिंग्स।\n",
  "km.md": "# ការដំឡើង\n\nការកំណត់មូលដ្ឋានទិន្នន័យ\n",
  "emoji.md": "# Signs\n\nA thumb 👍 and a flag 🇩🇪.\n"
}

const queries = [
  "install",
  "instal",
  "subscriptions",
  "customize color",
  "confguration",
  "creme",
  "--privileged",
  "state",
  "guides flags",
  "节点",
  "LLM节点",
  "安装",
  "データベース",
  "インス",
  "데이터베이스",
  "ฐานข้อมูล",
  "การติดตั้ง",
  "البيانات",
  "הגדרות",
  "базы данных",
  "स्थापना",
  "មូលដ្ឋាន",
  "👍",
  "🇩🇪",
  "package settings colours",
  "nothing-of-this",
  "…"
]

/** Returns functions that search the folder with the server and without. */
const searches = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const site = yield* FolderSite.make({ folder: folderOf(files) })
  yield* site.update
  const { fetch } = yield* SiteFetch.make({ site: site.published()!.site, at: "/docs" })
  const written = new Map<string, Uint8Array>()
  yield* StaticSite.make(
    {
      site: site.published()!.site,
      base: "/docs/",
      isOnWindows: false,
      latin1: (bytes) => Buffer.from(bytes).toString("latin1")
    },
    ({ path, bytes }) => Effect.sync(() => void written.set(path, bytes))
  )
  const json = (name: string): unknown => JSON.parse(new TextDecoder().decode(written.get(`~search/${name}`)))
  const index = yield* Effect.promise(() =>
    StaticSearch.open(json("index.json") as SearchManifest, "/docs/", {
      json: async (name) => json(name),
      bytes: async (name) => written.get(`~search/${name}`)!,
      script: (name) =>
        import(`data:text/javascript,${encodeURIComponent(new TextDecoder().decode(written.get(`~search/${name}`)))}`)
    })
  )
  return {
    written,
    json,
    withServer: (query: string) =>
      Effect.promise(async () => {
        const url = `http://localhost/docs/~search?part=results&q=${encodeURIComponent(query)}`
        return (await fetch(new Request(url)))!.text()
      }),
    withoutServer: (query: string) => Effect.promise(() => index.render(query))
  }
})

/** URLs of pages of a static site end with a slash, and the first page has only the URL of the site. */
const withoutSlashes = (html: string) =>
  html.replace(/(href="\/docs\/[^"#]*?)\/?(?=["#])/g, "$1").replaceAll(/"\/docs\/(?:readme)?"/g, '"/docs"')

describe("The search of a static site", () => {
  it.live("finds what the server finds, with the same excerpts", () =>
    Effect.gen(function* () {
      const { withServer, withoutServer } = yield* searches(pages)
      for (const query of queries) {
        const expected = withoutSlashes(yield* withServer(query))
        assert.strictEqual(withoutSlashes(yield* withoutServer(query)), expected, query)
      }
      assert.include(yield* withoutServer("节点"), "<mark>节点</mark>")
      assert.include(yield* withoutServer("confguration"), "Configuration")
      assert.strictEqual(yield* withoutServer("  "), "")
    }).pipe(Effect.scoped, Effect.provide(FolderSite.layer))
  )

  it.live("finds pages with equal scores in the order of their titles, as the server does", () =>
    Effect.gen(function* () {
      const titles = ["Pear", "Apple", "Quince", "Cherry", "Lemon", "Banana", "Grape", "Date"]
      const { withServer, withoutServer } = yield* searches(
        Object.fromEntries(titles.map((title, i) => [`${i}.md`, `# ${title}\n\nA zebra.\n`]))
      )
      const titlesIn = (html: string) => Array.from(html.matchAll(/<strong>(\w+)<\/strong>/g), ([, title]) => title)
      assert.deepStrictEqual(titlesIn(yield* withServer("zebra")), titles.toSorted())
      assert.deepStrictEqual(titlesIn(yield* withoutServer("zebra")), titles.toSorted())
    }).pipe(Effect.scoped, Effect.provide(FolderSite.layer))
  )

  it.live("loads the stemmer of the language", () =>
    Effect.gen(function* () {
      const text =
        "Die Häuser der Stadt sind alt und die Straßen sind nicht sehr breit, aber wir haben sie gern und gehen oft mit unseren Kindern durch die Gassen."
      const { json, withServer, withoutServer } = yield* searches({
        "README.md": `# Willkommen\n\n${text} ${text} ${text}\n`,
        "haus.md": `# Das Haus\n\nEin Haus für alle, die nicht allein sein wollen. ${text}\n`
      })
      assert.match((json("index.json") as SearchManifest).stemmer ?? "", /\.js$/)
      for (const query of ["Häusern", "Strasse", "Kinder"]) {
        const expected = withoutSlashes(yield* withServer(query))
        assert.include(expected, "<mark>", query)
        assert.strictEqual(withoutSlashes(yield* withoutServer(query)), expected, query)
      }
    }).pipe(Effect.scoped, Effect.provide(FolderSite.layer))
  )
})
