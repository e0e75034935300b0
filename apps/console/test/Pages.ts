/** Pages for tests of the tree. */
import type { Page } from "../src/api/Resources.ts"

export const page = (id: string, pages: ReadonlyArray<Page> = []): Page =>
  ({ object: "page", type: "document", id, title: id, pages }) as unknown as Page

export const link = { object: "page", type: "link", id: "link", title: "Éclair link" } as unknown as Page

/** a, b (b1, b2 (b21)), link, c */
export const pages = [page("a"), page("b", [page("b1"), page("b2", [page("b21")])]), link, page("c")]
