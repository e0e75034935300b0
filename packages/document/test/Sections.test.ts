import { assert, it } from "@effect/vitest"
import { sectionsOf } from "@lectern/document/Sections"
import { parse } from "./markdown/laws.ts"

it("the lines of Chinese and Japanese text are joined without a space, those of other text are not", () => {
  const { document } = parse("検索の\nための文。\n続き\n\n搜索\n===\n\n全文\n**检索** text\n한국어\n문장")
  assert.deepStrictEqual(
    sectionsOf(document).map(({ text, title }) => [title, text]),
    [
      ["", "検索のための文。続き"],
      ["搜索", "全文检索 text\n한국어\n문장"]
    ]
  )
})
