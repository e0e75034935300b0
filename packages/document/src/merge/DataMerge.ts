/**
 * Three-way merge of a block's data: objects property by property, lists of distinct strings item by item. All other
 * values are merged as a whole, including references and lengths, because a mix of two would be a third value.
 *
 * Undefined stands for an absent property. If both sides changed a value, ours stays. If one side removed a value that
 * the other changed, the change stays. Both cases are conflicts.
 *
 * Limit: 16 levels. Deeper values are merged as a whole.
 */
import { isRef } from "../DocumentRefs.ts"
import * as Length from "../markdown/Length.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { mergeOrder } from "./SiblingOrder.ts"

export interface Merged<A> {
  readonly value: A
  readonly conflict: boolean
}

const maxDepth = 16

type Properties = { readonly [name: string]: unknown }

const isProperties = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isAtomic = (value: Properties): boolean => isRef(value) || Length.write(value) !== undefined

const isDistinctStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string") && new Set(value).size === value.length

export const mergeData = (
  base: unknown,
  main: unknown,
  ours: unknown,
  fingerprints: Fingerprints,
  depth = 0
): Merged<unknown> => {
  const [inBase, inMain, inOurs] = [fingerprints.of(base), fingerprints.of(main), fingerprints.of(ours)]
  if (inBase === inOurs) return { value: main, conflict: false }
  if (inBase === inMain || inMain === inOurs) return { value: ours, conflict: false }
  if (depth < maxDepth && isProperties(main) && isProperties(ours) && !isAtomic(main) && !isAtomic(ours)) {
    return mergeProperties(isProperties(base) ? base : {}, main, ours, fingerprints, depth)
  }
  if (isDistinctStrings(base) && isDistinctStrings(main) && isDistinctStrings(ours)) {
    return { value: mergeLists(base, main, ours), conflict: false }
  }
  return { value: ours === undefined ? main : ours, conflict: true }
}

const mergeProperties = (
  base: Properties,
  main: Properties,
  ours: Properties,
  fingerprints: Fingerprints,
  depth: number
): Merged<Properties> => {
  const ownProperty = (properties: Properties, name: string) =>
    Object.hasOwn(properties, name) ? properties[name] : undefined
  let conflict = false
  const mergedEntries: Array<[string, unknown]> = []
  for (const name of new Set([...Object.keys(main), ...Object.keys(ours)])) {
    const property = mergeData(
      ownProperty(base, name),
      ownProperty(main, name),
      ownProperty(ours, name),
      fingerprints,
      depth + 1
    )
    conflict ||= property.conflict
    if (property.value !== undefined) mergedEntries.push([name, property.value])
  }
  return { value: Object.fromEntries(mergedEntries), conflict }
}

const mergeLists = (base: ReadonlyArray<string>, main: ReadonlyArray<string>, ours: ReadonlyArray<string>) => {
  const [inBase, inMain, inOurs] = [new Set(base), new Set(main), new Set(ours)]
  return mergeOrder(base, main, ours, (item) => (inMain.has(item) && inOurs.has(item)) || !inBase.has(item))
}
