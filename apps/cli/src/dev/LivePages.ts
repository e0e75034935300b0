/**
 * Live reload of `lectern dev`: a script that each page loads, and the server-sent events that it follows. An event is
 * the whole state: a page that missed events needs only the last one.
 */
import type { ServerResponse } from "node:http"
import type { Theme } from "@lectern/site/page/Theme"
import { html } from "@lectern/site/html/Html"
import { script } from "./LiveScript.ts"
import type { Problem } from "../lint/Problems.ts"

/** Path of the files of live reload. No page has a path with `~`. */
export const folder = "/~dev/"
const scriptPath = `${folder}live.js`
const eventsPath = `${folder}events`

/** Interval of comments that keep the connection open (ms). */
const heartbeat = 30_000

/** Maximum number of problems in the list on a page. */
const maxProblems = 200

export interface LivePages {
  readonly theme: Theme
  readonly respond: (path: string, response: ServerResponse) => void
  /** Notifies all open pages that the site may have changed. */
  readonly publish: (problems: ReadonlyArray<Problem>) => void
  readonly close: () => void
}

/** `start`: differs for each start of the server. `editorUrl`: URL that opens the file of a problem in an editor. */
export const make = (start: string, editorUrl: (problem: Problem) => string): LivePages => {
  const pages = new Set<ServerResponse>()
  let version = 0
  let problems: ReadonlyArray<Problem> = []
  const event = () => {
    const listedProblems = problems
      .slice(0, maxProblems)
      .map((problem) => ({ ...problem, ...(problem.path !== "" && { url: editorUrl(problem) }) }))
    return `data: ${JSON.stringify({ start, version, problems: listedProblems, problemCount: problems.length })}\n\n`
  }
  const timer = setInterval(() => {
    for (const page of pages) page.write(": open\n\n")
  }, heartbeat).unref()
  return {
    theme: {
      slots: {
        head: (_, renderDefault) =>
          html`${renderDefault()}<script type="module" src="${scriptPath}" data-events="${eventsPath}"></script>`
      }
    },
    respond: (path, response) => {
      if (path === scriptPath) {
        response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" })
        response.end(script)
      } else if (path === eventsPath) {
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
        response.write(event())
        pages.add(response)
        response.on("close", () => pages.delete(response))
      } else response.writeHead(404).end()
    },
    publish: (newProblems) => {
      version++
      problems = newProblems
      const text = event()
      for (const page of pages) page.write(text)
    },
    close: () => {
      clearInterval(timer)
      for (const page of pages) page.end()
    }
  }
}
