/**
 * Websites for import tests, valid and faulty, in a separate process. `node ImportSites.ts` prints their URLs as one
 * line of JSON, and serves them until it is ended.
 */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { claiming, docx, png, zip } from "./ZipFiles.ts"

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const html = (title: string, content: string, head = ""): Answer => ({
  type: "text/html; charset=utf-8",
  body: `<!doctype html><html><head><title>${title} | Acme Docs</title>${head}</head><body>
<header><nav><a href="/">Acme</a></nav></header>
<aside class="sidebar"><ul>
<li><a href="/docs/">Home</a></li><li><a href="/docs/start">Start</a></li><li><a href="/docs/guide/">Guide</a></li>
<li><a href="/docs/guide/zebra">Zebra</a></li><li><a href="/docs/guide/apple">Apple</a></li>
</ul></aside><main><article>${content}</article><div class="pagination"><a href="/docs/start">Next page</a></div></main>
<footer>Copyright Acme</footer></body></html>`
})

const moved = (location: string): Answer => ({ status: 302, headers: { location }, body: "" })

const xml = (body: string): Answer => ({ type: "application/xml", body })

const docs: Readonly<Record<string, Answer>> = {
  "/robots.txt": { type: "text/plain", body: "User-agent: *\nDisallow: /docs/secret\nSitemap: /sitemap.xml\n" },
  "/sitemap.xml": xml(
    `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>BASE/sitemap.xml</loc></sitemap><sitemap><loc>BASE/pages.xml.gz</loc></sitemap><sitemap><loc>http://127.0.0.2:1/private.xml</loc></sitemap></sitemapindex>`
  ),
  "/pages.xml.gz": xml(
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY lol "lol">]><urlset><url><loc>BASE/docs/mapped?version=2&amp;x=1</loc></url><url><loc>BASE/docs/secret</loc></url><url><loc>https://elsewhere.example/docs/x</loc></url></urlset>`
  ),
  "/docs/": html(
    "Home",
    `<h1>Acme <em>manual</em></h1><p>Welcome to <a href="start">the start</a> and <a href="/blog">the blog</a>.</p>
<img src="/img/dot.png" alt="A dot"><img src="/img/dot.png"><img src="/img/gone.png" alt="Gone"><p>Text <code>{{ not.ours }}</code></p>
<script>document.write("scripted")</script><p><a href="javascript:alert(1)" onclick="alert(1)">trap</a></p>`,
    `<meta name="description" content="All of it">`
  ),
  "/docs/start": html(
    "Start",
    `<h1>Start<a class="hash-link" href="#start">#</a></h1>
<p>See <a href="/docs/guide/apple#sec-2">apples</a>, <a href="/docs/old">the old page</a>, <a href="https://example.com/">others</a>.</p>
<div class="highlight-python"><pre><span>print</span>(1)
</pre></div><div class="theme-admonition theme-admonition-warning"><div class="admonition-heading">warning</div><p>Careful.</p></div>
<p>{% hint style="info" %}</p><p>not a tag</p><p>{% endhint %}</p>
<details><summary>More &lt;b&gt;</summary><p>Folded</p></details><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>x | y</td></tr></table>`
  ),
  "/docs/guide/": html(
    "Guide",
    `<h1>Guide</h1><p>Of fruit and animals, in the order of the menu, with <a href="/docs/deep/er/page.html">more</a>.</p>`
  ),
  "/docs/guide/apple": html(
    "Apple",
    `<h2 id="sec-2">All about apples</h2><p>They are round.</p><a href="/docs/calendar?month=2">Next month</a>`
  ),
  "/docs/guide/zebra": {
    type: "text/html; charset=iso-8859-1",
    body: Buffer.from(
      "<title>Zebra - Acme</title><main><h1>Zebra</h1><p>Caf\xe9 for zebras of this large and striped kind</p></main>",
      "latin1"
    )
  },
  "/docs/deep/er/page.html": {
    type: "text/html",
    body: Buffer.from(
      '<meta charset="windows-1251"><title>\xcf\xf0\xe8\xe2\xe5\xf2</title><main><p>\xcf\xf0\xe8\xe2\xe5\xf2, this page says in which letters it is written</p></main>',
      "latin1"
    )
  },
  "/docs/mapped?version=2&x=1": html("Mapped", "<p>Known by the map of the site alone, and no link leads to it.</p>"),
  "/docs/secret": html("Secret", "<p>Not for programs</p>"),
  "/docs/old": moved("/docs/guide/apple"),
  "/blog": html("Blog", "<p>Not part of the manual</p>"),
  "/img/dot.png": { type: "image/png", body: png },
  "/moved": moved("/docs/"),
  "/away": moved("http://127.0.0.2:3/"),
  "/loop": moved("/loop?"),
  "/image": { type: "image/png", body: png },
  "/huge": { type: "text/html", body: "x".repeat(6 * 1024 * 1024) }
}

const base64 = Buffer.from(png).toString("base64")

const files: Readonly<Record<string, Answer>> = {
  "/robots.txt": { status: 404, body: "" },
  "/guide.md": {
    type: "text/markdown",
    body: `---\ndescription: From afar\n---\n\n# The guide\n\n![dot](img/dot.png) [other](other.md) [top](/x.md#a)\n\n{% hint style="info" %}\nOurs.\n{% endhint %}\n`
  },
  "/img/dot.png": { type: "image/png", body: png },
  "/page.html": {
    type: "text/html",
    body: `<title>One page</title><main><p>With <a href="#part">a part</a>, <a href="/x">a link</a>, and an image within:</p><img src="data:image/png;base64,${base64}"><h2 id="part">Part</h2></main>`
  },
  "/plan.docx": { body: docx("The plan") },
  "/fake.docx": { body: "This is no document" },
  "/other.docx": { body: zip([{ path: "hello.txt", bytes: "Hello" }]) },
  "/manual.zip": {
    type: "application/zip",
    body: zip([
      { path: "manual/SUMMARY.md", bytes: "# Contents\n\n* [Welcome](README.md)\n  * [Second](b/second.md)\n" },
      { path: "manual/README.md", bytes: "# Hi\n\n[second](b/second.md) [web](c/web.html) ![](img/dot.png)\n" },
      { path: "manual/b/second.md", bytes: "Back [home](../README.md)\n" },
      {
        path: "manual/c/web.html",
        bytes: `<title>Web</title><body><p>A page of the web with <a href="../b/second.md">a link</a>, <a href="none.html">none</a></p><img src="../img/dot.png"></body>`
      },
      { path: "manual/c/plan.docx", bytes: docx("Planned") },
      { path: "manual/c/broken.docx", bytes: "no" },
      { path: "manual/img/dot.png", bytes: png },
      { path: "manual/link.md", bytes: "/etc/passwd", mode: 0o120777 },
      { path: "__MACOSX/._x", bytes: "x" }
    ])
  },
  "/climbing.zip": {
    body: zip([
      { path: "a.md", bytes: "# A" },
      { path: "../../etc/cron.d/x.md", bytes: "# Evil" }
    ])
  },
  "/absolute.zip": { body: zip([{ path: "/etc/passwd.md", bytes: "# Evil" }]) },
  "/bomb.zip": { body: zip([{ path: "a.md", bytes: new Uint8Array(19 * 1024 * 1024) }]) },
  "/liar.zip": { body: zip([{ path: "a.md", bytes: "x".repeat(100_000), claims: 10 }]) },
  "/empty.zip": { body: zip([{ path: "a.txt", bytes: "x" }]) },
  "/broken.zip": { body: zip([{ path: "a.md", bytes: "# A" }]).slice(0, 40) },
  "/many.zip": { body: claiming(zip([{ path: "a.md", bytes: "# A" }]), 200_001) },
  "/600.zip": {
    body: zip(Array.from({ length: 600 }, (_, i) => ({ path: `p${i}.md`, bytes: `# Page ${i}\n\nText\n` })))
  },
  "/nothing.html": { type: "text/html", body: "" }
}

const answering =
  (answers: Readonly<Record<string, Answer>>): RequestListener =>
  (request, response) => {
    const { url = "" } = request
    const { status = 200, type, headers, body } = answers[url] ?? { status: 404, body: "Not found" }
    const base = `http://${request.headers.host}`
    const filled = typeof body === "string" ? Buffer.from(body.replaceAll("BASE", base)) : body
    response.writeHead(status, { ...(type !== undefined && { "content-type": type }), ...headers })
    response.end(url.endsWith(".gz") ? gzipSync(filled) : filled)
  }

/** An endless site: each month links to more months, by path and by query. */
const calendar: RequestListener = ({ url = "" }, response) => {
  if (!url.startsWith("/months")) return void response.writeHead(404).end()
  const month = Number(/\d+/.exec(url)?.[0] ?? 0)
  const links = [1, 2, 3, 4].map((n) => `<a href="/months/${month * 4 + n}">${n}</a>`).join("")
  response.setHeader("content-type", "text/html")
  response.end(
    `<main><h1>Month ${month}</h1><p>Nothing happens in this month either. ${links}<a href="?day=${month + 1}">x</a><a href="months/months/x">y</a></p></main>`
  )
}

/** A site that serves its first page, and never responds for the others. */
const slow: RequestListener = ({ url = "" }, response) => {
  if (url === "/robots.txt") response.writeHead(404).end()
  else if (url === "/") {
    response.setHeader("content-type", "text/html")
    response.end(`<main><h1>First</h1><p>The only page that comes in time. <a href="/never">more</a></p></main>`)
  } else if (url === "/never") process.stdout.write(`asked ${url}\n`)
  else if (!url.startsWith("/silent")) response.writeHead(404).end()
}

/** A site that responds with status 429 after 10 pages. */
const strained = (() => {
  let pages = 0
  const listener: RequestListener = ({ url = "" }, response) => {
    if (url === "/robots.txt") return void response.writeHead(404).end()
    pages = url === "/" ? 1 : pages + 1
    if (pages > 10) return void response.writeHead(429).end()
    response.setHeader("content-type", "text/html")
    const links = Array.from({ length: 50 }, (_, n) => `<a href="/p${n}">${n}</a>`).join("")
    response.end(`<main><h1>${url}</h1><p>One of so many pages that all say the same: ${links}</p></main>`)
  }
  return listener
})()

const robots =
  (status: number, body: string): RequestListener =>
  ({ url }, response) =>
    void (url === "/robots.txt"
      ? response.writeHead(status).end(body)
      : response
          .writeHead(200, { "content-type": "text/html" })
          .end("<main><h1>Secret</h1><p>Not for programs to read</p></main>"))

const sites: Readonly<Record<string, RequestListener>> = {
  docs: answering(docs),
  files: answering(files),
  calendar,
  slow,
  strained,
  forbidden: robots(200, "User-agent: Lectern\nDisallow: /\n"),
  unwell: robots(503, "")
}

const urls: Record<string, string> = {}
for (const [name, listener] of Object.entries(sites)) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
process.stdout.write(`${JSON.stringify(urls)}\n`)
// Exits if the parent process ends without stopping this process.
process.stdin.on("end", () => process.exit()).resume()
