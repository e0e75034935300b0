/** Prometheus' text as OpenMetrics 1.0: the same measures, as newer scrapers ask for them. */

export const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

/** Tells whether a scraper asks for it; Prometheus names it first, and its own text after it. */
export const isWanted = (accept: string | undefined): boolean => /\bapplication\/openmetrics-text\b/.test(accept ?? "")

/** Families of counters are named without `_total`, their samples with it; bounds are written as floats. */
export const of = (text: string): string => {
  let counter: string | undefined
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
  const lines = text.split("\n").flatMap((line) => {
    if (line === "") return []
    const told = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line)
    if (told !== null) {
      const [, kind, name, rest] = told
      counter = types.get(name!) === "counter" ? name : undefined
      return [`# ${kind} ${counter === undefined ? name : name!.replace(/_total$/, "")} ${rest}`]
    }
    if (counter !== undefined) return [`${counter.replace(/_total$/, "")}_total${line.slice(counter.length)}`]
    return [line.replace(/([{,]le=")(\d+)"/, '$1$2.0"')]
  })
  return `${[...lines, "# EOF"].join("\n")}\n`
}
