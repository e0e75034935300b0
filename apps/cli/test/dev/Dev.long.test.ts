/** `lectern dev`, as people use it: the command, a browser, and an editor that saves files. */
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { browserOfFile, patience } from "../../../../packages/site/test/Chromium.ts"
import { cleanUp, lectern, start } from "../../../server/test/LecternProcess.ts"
import { folderOf, write } from "./Folders.ts"

const browser = browserOfFile()
afterAll(cleanUp)

/** Starts the command. `lines` returns the objects that it printed. */
const dev = async (folder: string, ...args: ReadonlyArray<string>) => {
  const { child, finished, stdout } = start(["dev", folder, "--json", "--port", "0", ...args], {})
  const lines = () =>
    stdout()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  await new Promise<void>((ready, failed) => {
    child.stdout!.on("data", () => lines().length > 1 && ready())
    void finished.then(({ code, stderr }) => failed(new Error(`The command ended with ${code}: ${stderr}`)))
  })
  const { url } = lines()[0] as { readonly url: string }
  const { problems } = lines()[1] as { readonly problems: ReadonlyArray<unknown> }
  return { url, problems, lines, child, finished }
}

const visit = async (url: string) => {
  const page = await browser().newPage({ viewport: { width: 1200, height: 600 } })
  page.setDefaultTimeout(patience)
  const failures: Array<string> = []
  page.on("pageerror", (failure) => failures.push(String(failure)))
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  const events = page.waitForResponse((response) => response.url().endsWith("/~dev/events"))
  await page.goto(url)
  await events
  return { page, failures }
}

const sections = Array.from({ length: 30 }, (_, i) => `## Part ${i}\n\n${"Some text. ".repeat(60)}\n`)
const tabs = `{% tabs %}
{% tab title="npm" %}
npm install
{% endtab %}

{% tab title="pnpm" %}
pnpm add
{% endtab %}
{% endtabs %}
`
const guide = (text: string) => `# Guide\n\n${text}\n\n${tabs}\n\n${sections.join("\n")}`

type Page = Awaited<ReturnType<typeof visit>>["page"]

const topOf = (page: Page, id: string) =>
  page.evaluate((id: string) => document.getElementById(id)!.getBoundingClientRect().top, id)

describe("lectern dev", () => {
  it("shows saved files at once, and keeps scroll position and open tabs", async () => {
    const folder = folderOf({ "README.md": "# Home\n\nHello.\n", "guide.md": guide("One."), "last.md": "# Last\n" })
    const { url } = await dev(folder)
    const { page, failures } = await visit(`${url}guide`)
    await page.getByRole("radio", { name: "pnpm", exact: true }).check()
    await page.locator("#part-20").scrollIntoViewIfNeeded()
    const before = await topOf(page, "part-20")

    // An editor that saves by a rename.
    writeFileSync(join(folder, "guide.md~"), guide(`Two.\n\n${"Longer. ".repeat(500)}`))
    renameSync(join(folder, "guide.md~"), join(folder, "guide.md"))
    await page.getByText("Two.").waitFor({ state: "attached" })
    assert.approximately(await topOf(page, "part-20"), before, 1)
    assert.isTrue(await page.getByRole("radio", { name: "pnpm", exact: true }).isChecked())

    // A file of another page is added: the tree shows it, and the open page is not replaced.
    await page.evaluate(() => document.querySelector("main")!.setAttribute("data-same", ""))
    write(folder, { "new.md": "# Added page\n" })
    await page.locator("nav[data-tree]").getByText("Added page").waitFor({ state: "attached" })
    assert.isNotNull(await page.locator("main").getAttribute("data-same"))

    // A page that is gone, and comes back.
    rmSync(join(folder, "guide.md"))
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor()
    write(folder, { "guide.md": "# Guide\n\nThree.\n" })
    await page.getByText("Three.").waitFor()
    assert.deepStrictEqual(
      failures.filter((failure) => !failure.includes("404")),
      []
    )
    await page.close()
  })

  it("lists problems with links to the editor, in the page and in its output", async () => {
    const folder = folderOf({ "README.md": "# Home\n\n[Gone](gone.md)\n" })
    const { url, problems, lines } = await dev(folder, "--editor", "editor://{path}#{line}")
    assert.deepStrictEqual(problems, [
      {
        path: "README.md",
        line: 3,
        column: 8,
        rule: "broken-link",
        message: "A link leads to nothing in the folder: gone.md",
        level: "error"
      }
    ])
    const { page } = await visit(url)
    await page.getByText("1 problem").click()
    const link = page.getByRole("link", { name: "README.md:3" })
    assert.strictEqual(await link.getAttribute("href"), `editor://${folder}/README.md#3`)
    write(folder, { "lectern.toml": '[lint.rules]\nbroken-link = "off"\n' })
    await page.getByText("1 problem").waitFor({ state: "detached" })
    write(folder, { "lectern.toml": "" })
    await page.getByText("1 problem").waitFor()
    write(folder, { "gone.md": "# Found\n" })
    await page.getByText("1 problem").waitFor({ state: "detached" })
    assert.deepStrictEqual(lines().at(-1).problems, [])
    await page.close()
  })

  it("serves only this machine's names, and states what can't be used", async () => {
    const folder = folderOf({ "README.md": "# Home\n" })
    const { url, child, finished } = await dev(folder)
    const { port } = new URL(url)
    const { request } = await import("node:http")
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve) =>
        request({ host: "127.0.0.1", port, headers: { host } }, ({ statusCode }) => resolve(statusCode)).end()
      )
    assert.strictEqual(await statusFor(`localhost:${port}`), 200)
    assert.strictEqual(await statusFor("docs.attacker.example"), 421)
    const inUse = await lectern(["dev", folder, "--port", port])
    assert.strictEqual(inUse.code, 1)
    assert.match(inUse.stderr, /^lectern: Port \d+ of 127\.0\.0\.1 can't be used/)
    const missing = await lectern(["dev", join(folder, "nothing")])
    assert.match(missing.stderr, /^lectern: .*nothing can't be read/)
    child.kill("SIGINT")
    assert.strictEqual((await finished).code, 0)
  })
})
