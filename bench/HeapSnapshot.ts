/**
 * Reads a heap snapshot of V8 and sums bytes by constructor and by owner. The owner of an object is a large object on
 * the shortest path from the heap's roots. An owner is named by the properties and variables on its path.
 *
 * Limit: snapshots of up to 512 MB, the longest string that Node.js can read.
 */
import { readFileSync } from "node:fs"

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: ReadonlyArray<string>
      readonly node_types: readonly [ReadonlyArray<string>]
      readonly edge_fields: ReadonlyArray<string>
      readonly edge_types: readonly [ReadonlyArray<string>]
    }
  }
  readonly nodes: ReadonlyArray<number>
  readonly edges: ReadonlyArray<number>
  readonly strings: ReadonlyArray<string>
}

export interface HeapSummary {
  readonly bytes: number
  readonly byConstructor: ReadonlyMap<string, number>
  readonly byOwner: ReadonlyMap<string, number>
}

/** Minimum bytes of an owner. Smaller objects count as part of the object that holds them. */
const minSize = 256 * 1024
/** Names from the end of the path that make up an owner's name. */
const namesShown = 5

export const read = (file: string): HeapSummary => {
  const { snapshot, nodes, edges, strings } = JSON.parse(readFileSync(file, "utf8")) as Snapshot
  const { meta } = snapshot
  const width = meta.node_fields.length
  const [typeAt, nameAt, sizeAt, countAt] = ["type", "name", "self_size", "edge_count"].map((name) =>
    meta.node_fields.indexOf(name)
  ) as [number, number, number, number]
  const types = meta.node_types[0]
  const edgeWidth = meta.edge_fields.length
  const edgeTypes = meta.edge_types[0]
  const count = nodes.length / width

  const firstEdge = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) firstEdge[i + 1] = firstEdge[i]! + nodes[i * width + countAt]!

  const typeOf = (node: number) => types[nodes[node * width + typeAt]!]!
  const nameOf = (node: number) => strings[nodes[node * width + nameAt]!]!
  const constructorOf = (node: number): string => {
    const type = typeOf(node)
    return type === "object" || type === "native" || type === "closure" ? nameOf(node).slice(0, 60) : `(${type})`
  }

  // Shortest paths from the root, without weak references.
  const parent = new Int32Array(count).fill(-1)
  const edgeTo = new Int32Array(count).fill(-1)
  const order = new Uint32Array(count)
  let reached = 1
  parent[0] = 0
  for (let at = 0; at < reached; at++) {
    const node = order[at]!
    for (let edge = firstEdge[node]!; edge < firstEdge[node + 1]!; edge++) {
      if (edgeTypes[edges[edge * edgeWidth]!] === "weak") continue
      const to = edges[edge * edgeWidth + 2]! / width
      if (parent[to] !== -1) continue
      parent[to] = node
      edgeTo[to] = edge
      order[reached++] = to
    }
  }

  const retainedSizes = new Float64Array(count)
  const byConstructor = new Map<string, number>()
  let bytes = 0
  for (let at = reached - 1; at >= 0; at--) {
    const node = order[at]!
    const size = nodes[node * width + sizeAt]!
    bytes += size
    retainedSizes[node]! += size
    if (node !== 0) retainedSizes[parent[node]!]! += retainedSizes[node]!
    const name = constructorOf(node)
    byConstructor.set(name, (byConstructor.get(name) ?? 0) + size)
  }

  const edgeName = (node: number): string => {
    const edge = edgeTo[node]!
    const type = edgeTypes[edges[edge * edgeWidth]!]
    const name = edges[edge * edgeWidth + 1]!
    return type === "element" || type === "hidden" ? "[]" : strings[name]!
  }
  const wayTo = (node: number): string => {
    const names: Array<string> = []
    for (let one = node; one !== 0 && names.length < namesShown; one = parent[one]!) {
      const name = edgeName(one)
      if (name !== names[0] && name !== "context") names.unshift(name)
    }
    return `${names.join(".")} (${constructorOf(node)})`
  }

  // An owner retains much, and no single child retains more than half of its bytes.
  const largestChild = new Float64Array(count)
  for (let at = reached - 1; at > 0; at--) {
    const node = order[at]!
    largestChild[parent[node]!] = Math.max(largestChild[parent[node]!]!, retainedSizes[node]!)
  }
  const byOwner = new Map<string, number>()
  for (let at = 1; at < reached; at++) {
    const node = order[at]!
    if (retainedSizes[node]! < minSize || largestChild[node]! > retainedSizes[node]! / 2) continue
    byOwner.set(wayTo(node), (byOwner.get(wayTo(node)) ?? 0) + retainedSizes[node]!)
  }
  return { bytes, byConstructor, byOwner }
}

/** Returns the entries with the most growth between two summaries, in MB. */
export const grown = (
  sizesBefore: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  maxRows: number
): ReadonlyArray<{ readonly name: string; readonly before: string; readonly after: string }> =>
  Array.from(after, ([name, bytes]) => ({ name, bytes, was: sizesBefore.get(name) ?? 0 }))
    .toSorted((a, b) => b.bytes - b.was - (a.bytes - a.was))
    .slice(0, maxRows)
    .map(({ name, bytes, was }) => ({ name, before: (was / 1e6).toFixed(1), after: (bytes / 1e6).toFixed(1) }))
