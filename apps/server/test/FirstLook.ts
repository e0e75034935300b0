/** A look at a server after its first start, for programs that have to bring along what a repository has lying about. */
import { setTimeout } from "node:timers/promises"
import { assert } from "@effect/vitest"

export interface FirstStart {
  readonly url: string
  readonly token: string
  readonly space: { readonly id: string }
}

/** A page of the manual, once its code is marked: a page itself waits for nothing. */
export const markedPage = async ({ url }: Pick<FirstStart, "url">): Promise<string> => {
  for (;;) {
    const page = await (await fetch(`${url}/sites/lectern-manual/quick-start`)).text()
    if (/<span class="[a-z]">/.test(page)) return page
    await setTimeout(50)
  }
}

/** The picture that a page has for links to it. */
export const pictureOf = (page: string): Promise<Response> => fetch(/"og:image" content="([^"]+)"/.exec(page)![1]!)

/** The manual came along, with the fonts, grammars and threads that write, mark and draw a page of it. */
export const assertHasAll = async ({ url, token, space }: FirstStart): Promise<void> => {
  const get = async (path: string): Promise<any> =>
    (await fetch(`${url}/v1/spaces/${space.id}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  const { pages } = await get("/content/pages")
  assert.isAtLeast(pages.length, 5)
  const pdf = await get(`/pdf?page=${pages[0].id}&only=true`)
  let answer = await fetch(pdf.url)
  while (answer.status === 202) {
    await setTimeout(50)
    answer = await fetch(pdf.url)
  }
  assert.strictEqual(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 5), "%PDF-")

  // The console, with the files that its page names.
  const [, script] = /<script type="module" src="([^"]+)"/.exec(await (await fetch(url)).text())!
  assert.strictEqual((await fetch(new URL(script!, url))).status, 200)

  const picture = await pictureOf(await markedPage({ url }))
  assert.strictEqual(Buffer.from(await picture.arrayBuffer()).toString("latin1", 1, 4), "PNG")
}
