/** Converts the Prometheus text format to OpenMetrics 1.0, which newer scrapers request. */

export const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

/** True if a scraper accepts OpenMetrics. Prometheus lists it first, before its own format. */
export const isAccepted = (accept: string | undefined): boolean =>
  /\bapplication\/openmetrics-text\b/.test(accept ?? "")

/** Converts metrics. Families of counters lose the suffix `_total`, their samples keep it; bounds become floats. */
export const toOpenMetrics = (text: string): string => {
  let counter: string | undefined
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
  const lines = text.split("\n").flatMap((line) => {
    if (line === "") return []
    const metadata = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line)
    if (metadata !== null) {
      const [, kind, name, rest] = metadata
      counter = types.get(name!) === "counter" ? name : undefined
      return [`# ${kind} ${counter === undefined ? name : name!.replace(/_total$/, "")} ${rest}`]
    }
    if (counter !== undefined) return [`${counter.replace(/_total$/, "")}_total${line.slice(counter.length)}`]
    return [line.replace(/([{,]le=")(\d+)"/, '$1$2.0"')]
  })
  return `${[...lines, "# EOF"].join("\n")}\n`
}
