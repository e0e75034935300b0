/** Finds whatever is described by a method and a path, of which some segments stand for any, by a request to it. */

interface Described {
  readonly method: string
  readonly segments: ReadonlyArray<string>
}

/** `parameter`: the beginning of a segment that stands for any. Of several that fit, the first counts. */
export const byPath = <A extends Described>(all: ReadonlyArray<A>, parameter: string) => {
  const alike = Map.groupBy(all, ({ method, segments }) => `${method} ${segments.length}`)
  return (method: string, path: string): A | undefined => {
    const asked = path.split("/")
    return alike
      .get(`${method} ${asked.length}`)
      ?.find(({ segments }) => segments.every((segment, i) => segment.startsWith(parameter) || segment === asked[i]))
  }
}
