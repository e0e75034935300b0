/** What goes from the thread of `NodeSpecParser` to who waits for it. */
import type { ParsedSpec, SpecProblems } from "@lectern/core/openapi/SpecParser"

export type SpecAnswer = { readonly parsed: ParsedSpec } | { readonly problems: SpecProblems }
