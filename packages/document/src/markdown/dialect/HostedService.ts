/** The hosted service, whose blocks Lectern has: tags on lines of their own, and `<details>`. */
import * as Details from "../Details.ts"
import { opening, TagScanner } from "../syntax/TagScanner.ts"
import * as TagLine from "../TagLine.ts"
import { tagOfName } from "../Tags.ts"
import type { Dialect, TagSyntax } from "./Dialect.ts"

const lines: TagSyntax = {
  line: { starts: "{", prefix: "{%", createScanner: () => new TagScanner(), opening },
  isCandidate: ({ type }) => type === "tag",
  parse: (node) => {
    const line = node.type === "tag" ? TagLine.parse(node.value) : undefined
    const tag = line && tagOfName(line.name)
    if (line !== undefined && tag !== undefined) return { kind: "open", tag, line }
    return line?.name.startsWith("end") && TagLine.hasNoParameters(line)
      ? { kind: "close", name: line.name.slice("end".length) }
      : undefined
  }
}

export const hostedService: Dialect = { names: ["hosted service", "gitbook"], tags: [lines, Details.tags] }
