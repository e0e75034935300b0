/** A look at a server after its first start, for programs that have to bring along what a repository has lying about. */
import { setTimeout } from "node:timers/promises"
import { assert } from "@effect/vitest"

export interface FirstStart {
  readonly url: string
  readonly token: string
  readonly space: { readonly id: string }
}

/** The manual came along, with the fonts, grammars and threads that write, mark and draw a page of it. */
export const assertHasAll = async ({ url, token, space }: FirstStart): Promise<void> => {
  const get = async (path: string): Promise<any> =>
    (await fetch(`${url}/v1/spaces/${space.id}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  const { pages } = await get("/content/pages")
  assert.isAbove(pages.length, 5)
  const pdf = await get(`/pdf?page=${pages[0].id}&only=true`)
  let answer = await fetch(pdf.url)
  while (answer.status === 202) {
    await setTimeout(50)
    answer = await fetch(pdf.url)
  }
  assert.strictEqual(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 5), "%PDF-")

  const site = `${url}/sites/lectern-manual`
  const page = async () => (await fetch(`${site}/quick-start`)).text()
  while (!/<span class="[a-z]">/.test(await page())) await setTimeout(50)
  const picture = await fetch(/"og:image" content="([^"]+)"/.exec(await page())![1]!)
  assert.strictEqual(Buffer.from(await picture.arrayBuffer()).toString("latin1", 1, 4), "PNG")
}
