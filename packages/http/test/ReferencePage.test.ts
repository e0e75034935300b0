/** The script of the page to read the interface on, as a browser runs it: what it opens, sends and shows. */
import { runInNewContext } from "node:vm"
import { script } from "@lectern/http/description/ReferencePage"
import { assert, it } from "@effect/vitest"

class Details {
  open = false
}

/** A page with one operation and its form, at this place. */
const pageAt = (pathname: string, hash: string) => {
  const details = new Details()
  const listeners: Record<string, (event: object) => unknown> = {}
  const sent: Array<{ readonly url: string; readonly init: RequestInit }> = []
  const pending: Array<(answer: Response) => void> = []
  const elements: Record<string, { textContent?: string; disabled?: boolean; value?: string; dataset?: object }> = {
    output: { textContent: "" },
    button: { disabled: false },
    textarea: { value: '{"title":"x"}', dataset: { type: "application/json" } },
    "#token": { value: "secret" }
  }
  const inputs = [
    { name: "spaceId", value: "../a b", dataset: { in: "path" } },
    { name: "limit", value: "1&x", dataset: { in: "query" } },
    { name: "page", value: "", dataset: { in: "query" } }
  ]
  const form = {
    dataset: { method: "PATCH", path: "/v1/spaces/{spaceId}" },
    querySelector: (selector: string) => elements[selector],
    querySelectorAll: () => inputs
  }
  const location = { pathname, hash }
  runInNewContext(script, {
    URLSearchParams,
    HTMLDetailsElement: Details,
    location,
    document: {
      getElementById: (id: string) => (id === "spaces.update" ? details : null),
      querySelector: (selector: string) => elements[selector]
    },
    addEventListener: (type: string, listener: (event: object) => unknown) => (listeners[type] = listener),
    fetch: (url: string, init: RequestInit) => {
      sent.push({ url, init })
      return new Promise((answer) => pending.push(answer))
    }
  })
  return {
    details,
    sent,
    output: elements["output"]!,
    button: elements["button"]!,
    go: (to: string) => {
      location.hash = to
      listeners["hashchange"]!({})
    },
    submit: () => listeners["submit"]!({ target: form, preventDefault: () => {} }) as Promise<void>,
    answer: (answer: Response) => pending.shift()!(answer)
  }
}

it("opens the operation that the address names, and nothing for any other", () => {
  assert.isTrue(pageAt("/docs", "#spaces.update").details.open)
  for (const hash of ["", "#", "#%", "#%E0", "#nothing"]) {
    const page = pageAt("/docs", hash)
    assert.isFalse(page.details.open, hash)
    page.go("#spaces.update")
    assert.isTrue(page.details.open)
  }
})

it("sends what was entered to the server that the page came from, with the token", async () => {
  const page = pageAt("/lectern/docs", "")
  const done = page.submit()
  page.answer(new Response('{"id":1}', { status: 201 }))
  await done
  assert.deepStrictEqual(page.sent[0]?.url, "/lectern/v1/spaces/..%2Fa%20b?limit=1%26x")
  assert.deepEqual(page.sent[0]?.init, {
    method: "PATCH",
    headers: { authorization: "Bearer secret", "content-type": "application/json" },
    body: '{"title":"x"}'
  })
  assert.strictEqual(page.output.textContent, '201\n{\n  "id": 1\n}')
})

it("shows no earlier answer while it waits, and sends nothing twice meanwhile", async () => {
  const page = pageAt("/docs", "")
  page.output.textContent = "200\nof before"
  const done = page.submit()
  assert.strictEqual(page.output.textContent, "…")
  assert.isTrue(page.button.disabled)
  page.answer(new Response("not JSON"))
  await done
  assert.strictEqual(page.output.textContent, "200\nnot JSON")
  assert.isFalse(page.button.disabled)
})
