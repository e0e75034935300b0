/** Maps of element forms, for dialects: names of elements by kind, and names of hints by style. */
import type { ElementForm, ElementKind } from "./Dialect.ts"
import { stylesByName } from "./HintStyles.ts"

type NamesByKind = { readonly [kind in ElementKind]?: string }

/** `hints`: names of elements whose name states the style. `embeds`: URLs by the name of an element. */
export const elementForms = (
  names: NamesByKind,
  hints: Parameters<typeof stylesByName>[0] = {},
  embeds: { readonly [name: string]: string } = {}
): ReadonlyMap<string, ElementForm> =>
  new Map<string, ElementForm>([
    ...Object.entries(names).flatMap(([kind, all]) =>
      all.split(" ").map((name) => [name, { kind: kind as ElementKind }] as const)
    ),
    ...Array.from(stylesByName(hints), ([name, style]) => [name, { kind: "hint", style }] as const),
    ...Object.entries(embeds).map(([name, url]) => [name, { kind: "embed", url }] as const)
  ])
